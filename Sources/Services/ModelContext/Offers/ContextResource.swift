internal import Documents

/// A text that a client can read.
package struct ContextResource: Hashable, Sendable {
    package let uri: String
    package let name: String
    package let title: String
    package let mediaType: String

    package init(uri: String, name: String, title: String, mediaType: String) {
        (self.uri, self.name, self.title, self.mediaType) = (uri, name, title, mediaType)
    }

    var json: JSONValue {
        ["uri": .text(uri), "name": .text(name), "title": .text(title), "mimeType": .text(mediaType)]
    }
}

/// The resources of a server.
package struct ContextResources: Sendable {
    /// The form of the addresses that have resources beside the listed ones (RFC 6570), with a name and a title.
    package struct Template: Sendable {
        package let uri: String
        package let name: String
        package let title: String
        package let mediaType: String

        package init(uri: String, name: String, title: String, mediaType: String) {
            (self.uri, self.name, self.title, self.mediaType) = (uri, name, title, mediaType)
        }

        var json: JSONValue {
            ["uriTemplate": .text(uri), "name": .text(name), "title": .text(title), "mimeType": .text(mediaType)]
        }
    }

    package let templates: [Template]
    package let list: @Sendable () throws -> [ContextResource]
    /// The text at an address, and its media type; nil for none.
    package let read: @Sendable (String) async throws -> (mediaType: String, text: String)?

    package init(
        templates: [Template] = [], list: @escaping @Sendable () throws -> [ContextResource] = { [] },
        read: @escaping @Sendable (String) async throws -> (mediaType: String, text: String)? = { _ in nil }
    ) {
        (self.templates, self.list, self.read) = (templates, list, read)
    }
}

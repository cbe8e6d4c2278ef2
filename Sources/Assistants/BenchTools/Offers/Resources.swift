internal import Documents
internal import ModelContext
internal import Pages
internal import ProfileFiles
internal import YAMLFiles

extension Bench {
    private static let pages = "touchstone://docs/"
    private static let profiles = "touchstone://profiles/"

    /// The pages of the documentation, and the profiles.
    var resources: ContextResources {
        let page = ContextResources.Template(
            uri: Self.pages + "{name}", name: "docs", title: "A page of the documentation", mediaType: "text/markdown")
        let profile = ContextResources.Template(
            uri: Self.profiles + "{name}", name: "profiles", title: "A device's profile in YAML",
            mediaType: "application/yaml")
        return ContextResources(
            templates: [page, profile],
            list: { [profiles] in
                let pages = Page.all.map { found in
                    ContextResource(
                        uri: Self.pages + found.name, name: found.name, title: found.title, mediaType: page.mediaType)
                }
                let names = try profiles.files().map(ResourceName.name(ofFile:))
                return pages
                    + names.map {
                        ContextResource(
                            uri: Self.profiles + $0, name: $0, title: "Profile \($0)", mediaType: profile.mediaType)
                    }
            },
            read: { [profiles] uri in
                if uri.hasPrefix(Self.pages) {
                    let name = uri.dropFirst(Self.pages.count)
                    return Page.all.first { $0.name == name }.map { (page.mediaType, $0.text) }
                }
                guard uri.hasPrefix(Self.profiles) else { return nil }
                let name = uri.dropFirst(Self.profiles.count)
                // Only a name of the list: an address cannot lead to another file.
                guard let file = try profiles.files().first(where: { ResourceName.name(ofFile: $0) == name }) else {
                    return nil
                }
                return (profile.mediaType, try ResourceFiles.text(of: file))
            })
    }
}

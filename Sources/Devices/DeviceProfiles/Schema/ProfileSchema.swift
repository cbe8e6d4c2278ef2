internal import PlatformErrors

/// The JSON Schema of profiles, for editors: which keys there are, what each takes and means.
///
/// The names a key takes are those the reader takes, from the same enumerations; the tests hold the keys to the reader's.
package enum ProfileSchema {
    /// The schema, draft 2020-12, as text: what `profiles/schema.json` is.
    package static var json: String { JSONNode.map(root.members).text + "\n" }

    private static let root = SchemaNode.mapping(
        "A device somebody could own; docs/profiles.md describes every key.", required: ["name", "title"],
        [
            "name": .text("what to call it: the file's name without .yaml"),
            "title": .text("one line that says what it is"),
            "summary": .text("a few sentences about how it behaves"),
            "extends": .text(
                "a profile beside this one, or a path: its keys hold where this file has none; ~ takes one away"),
            "kind": .one(of: DeviceKind.allCases.map(\.rawValue), "what sort of device; follows from the platform"),
            "platform": .one(of: Platform.allCases.map(\.rawValue), "whose error codes an app hears"),
            "faces": platformErrors,
            "hardware": .pattern("^[^./][^/]*$", "the real key it stands for: a name in hardware/keys/"),
            "usb": usb,
            "authenticator": authenticator,
            "sensor": sensor,
            "sensors": .list(of: sensor, "the sensors of a device that has several, for different modalities"),
            "device-credential": deviceCredential,
            "lockout": lockout,
            "faults": .list(
                of: .text("a fault as `touchstone device fault` takes it"), "what it gets wrong from the start"),
            "unverified": .list(of: .text("a path in this file"), "settings that no public source confirms"),
            "sources": .list(of: .text("a source"), "where the facts come from"),
        ]
    ).adding([
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Touchstone profile",
        // A profile that extends another has from it what it does not say.
        "if": .map(["not": .map(["required": .list(["extends"])])]),
        "then": .map([
            "required": .list(["platform", "authenticator"]),
            "properties": .map([
                "authenticator": .map(["required": .list(["aaguid", "attachment", "transports"])]),
                "sensor": .map(["required": .list(["modality"])]),
                "lockout": .map(["required": .list(["permanent-at", "invalidation"])]),
            ]),
        ]),
    ])

    private static var platformErrors: SchemaNode {
        var settings: [String: SchemaNode] = [:]
        for setting in PlatformErrorTable.shared.settings {
            let variants = setting.variants.map { "\($0.name): \($0.about)" }.joined(separator: "; ")
            settings[setting.name] = .one(of: setting.variants.map(\.name), "\(setting.about) - \(variants)")
        }
        return .mapping("what apps hear where public sources disagree; see docs/faces.md", settings)
    }

    private static let usb = SchemaNode.mapping(
        "how it shows on the USB bus",
        [
            "vendor": .number("the vendor ID", 1...0xFFFF), "product": .number("the product ID", 0...0xFFFF),
            "name": .text("what the operating system shows, at most 127 bytes"),
        ])
}

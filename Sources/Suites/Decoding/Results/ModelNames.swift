internal import DeviceProfiles
internal import KnownKeys
internal import ProfileFiles
internal import Trace
internal import VirtualAuthenticator
internal import WebAuthn

/// The names of authenticator models by their AAGUIDs: those of the known keys, and those of the profiles.
enum ModelNames {
    /// The names of the libraries' models; files that cannot be read have none.
    private static let all: [AAGUID: String] = {
        var names: [AAGUID: String] = [:]
        let profiles = (try? ProfileLibrary.standard().files()) ?? []
        for profile in profiles.compactMap({ try? ProfileLibrary.read($0) }) {
            let aaguid = profile.authenticator.aaguid
            if names[aaguid] == nil { names[aaguid] = "\(profile.title), profile \(profile.name)" }
        }
        for key in (try? KnownKeyLibrary.standard().keys()) ?? [] {
            for model in key.models { names[model.aaguid] = "\(model.name), known key \(key.name)" }
        }
        names[.zero] = "no model"
        return names
    }()

    static func name(_ aaguid: AAGUID) -> String? { all[aaguid] }

    /// The AAGUID with its model's name.
    static func words(_ aaguid: AAGUID) -> String {
        name(aaguid).map { "\(aaguid) (\($0))" } ?? "\(aaguid) (a model without a name in the known keys and profiles)"
    }

    /// A field in which each AAGUID has its model's name.
    static func named(_ field: TraceField) -> TraceField {
        var field = field
        if field.name == "aaguid", field.type == .bytes, let value = field.value, let bytes = Hex.decode(value),
            let aaguid = AAGUID(bytes: bytes)
        {
            field.meaning = words(aaguid)
        }
        field.items = field.items.map(named)
        return field
    }
}

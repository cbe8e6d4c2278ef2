internal import Attestation
internal import COSE
internal import DeviceProfiles
internal import Documents
internal import Faults
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import PlatformErrors
internal import VirtualAuthenticator
internal import WebAuthn

extension ControlOperations {
    var library: [Operation] {
        let profiles = configuration.profiles
        return [
            Operation(
                method: .get, path: "/v1/profiles", name: "listProfiles",
                summary: "List the device profiles", tag: "library",
                answer: .json([ProfileEntry].self, "All profiles, by name")
            ) { _ in
                try Reply.json(try profiles.files().map { ProfileEntry(try ProfileLibrary.read($0)) })
            },
            Operation(
                method: .get, path: "/v1/faults", name: "listFaults", summary: "List the faults",
                tag: "library", answer: .json([FaultDescription].self, "All faults, by layer")
            ) { _ in try Reply.json(Fault.catalogue) },
        ]
    }
}

/// A profile in a list.
struct ProfileEntry: Codable, Sendable {
    let name: String
    let title: String
    let summary: String
    let platform: String
    let aaguid: String
    let versions: [String]
    let algorithms: [String]
    let transports: [String]
    let attestation: [String]
    let extensions: [String]
    let faults: [String]

    init(_ profile: DeviceProfile) {
        name = profile.name
        title = profile.title
        summary = profile.summary
        platform = profile.platform.rawValue
        let authenticator = profile.authenticator
        aaguid = authenticator.aaguid.description
        versions = authenticator.versions
        algorithms = authenticator.algorithms.map(\.description)
        transports = authenticator.transports
        attestation = authenticator.attestation.map(\.rawValue)
        extensions = authenticator.extensions.map(\.rawValue)
        faults = profile.faults.map(\.spelling)
    }
}

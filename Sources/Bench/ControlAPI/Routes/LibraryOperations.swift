internal import Attestation
internal import COSE
internal import DeviceProfiles
internal import Faults
internal import HTTPTypes
internal import LoopbackHTTP
internal import PlatformErrors
internal import VirtualAuthenticator
internal import WebAuthn

extension ControlOperations {
    var library: [Operation] {
        [
            operation(
                .get, "/v1/profiles", "listProfiles", "List the device profiles", .library,
                answer: TypedAnswer<[ProfileEntry]>("All profiles, by name"), errors: [503]
            ) { _ in
                try await files.run {
                    try configuration.profiles.files().map { ProfileEntry(try ProfileLibrary.read($0)) }
                }
            },
            operation(
                .get, "/v1/faults", "listFaults", "List the faults", .library,
                answer: TypedAnswer<[FaultDescription]>("All faults, by layer")
            ) { _ in Fault.catalogue },
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
    let transports: [AuthenticatorTransport]
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

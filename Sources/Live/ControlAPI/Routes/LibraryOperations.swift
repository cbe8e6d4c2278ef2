internal import Attestation
internal import COSE
internal import DeviceProfiles
internal import Documents
internal import Faults
internal import HTTPTypes
internal import LoopbackHTTP
internal import PlatformErrors
internal import ProfileFiles
internal import VirtualAuthenticator
internal import WebAuthn
internal import YAMLFiles

extension ControlOperations {
    var library: [Operation] {
        [
            operation(
                .get, "/v1/profiles", "listProfiles", "List the device profiles", .library,
                answer: TypedAnswer<[ListedProfile]>(
                    "All profiles, by name; for a wrong file its name and its mistake", schema: ListedProfile.schema),
                errors: [503]
            ) { _ in try await files.run { try configuration.profiles.files().map(ListedProfile.init(file:)) } },
            operation(
                .get, "/v1/faults", "listFaults", "List the faults", .library,
                answer: TypedAnswer<[FaultDescription]>("All faults, by layer")
            ) { _ in Fault.catalogue },
        ]
    }
}

/// A file in the list of profiles.
enum ListedProfile: Codable, Sendable {
    case profile(ProfileEntry)
    case wrong(WrongProfile)

    static let schema = Schema.array(
        .anyOf([.named("ProfileEntry", .of(ProfileEntry.self)), .named("WrongProfile", .of(WrongProfile.self))]))

    init(file: String) {
        do {
            self = .profile(ProfileEntry(try ProfileLibrary.read(file)))
        } catch {
            self = .wrong(WrongProfile(name: ResourceName.name(ofFile: file), error: error.description))
        }
    }

    init(from decoder: any Decoder) throws {
        do {
            self = .wrong(try WrongProfile(from: decoder))
        } catch {
            self = .profile(try ProfileEntry(from: decoder))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .profile(let entry): try entry.encode(to: encoder)
        case .wrong(let profile): try profile.encode(to: encoder)
        }
    }
}

/// A file that is not a valid profile.
struct WrongProfile: Codable, Sendable {
    let name: String
    /// The file, the line and the mistake.
    let error: String
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

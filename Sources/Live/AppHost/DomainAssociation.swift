internal import DeviceProfiles
internal import Foundation
internal import PlatformErrors
internal import Providers
internal import SimulatedDevice

/// The rights of an app at a domain, in the file that the platform reads: Apple's `apple-app-site-association`, Android's
/// Digital Asset Links.
enum DomainAssociation: Sendable {
    /// The domain's links open the app.
    case links
    /// The app uses the domain's passkeys.
    case passkeys

    /// The path of the file that a platform reads; nil for a platform that asks no domain.
    static func path(on platform: Platform) -> String? {
        switch platform {
        case .ios, .macos: "/.well-known/apple-app-site-association"
        case .android: "/.well-known/assetlinks.json"
        case .windows, .securityKey: nil
        }
    }

    func isAllowed(to app: AppRegistration, by file: [UInt8], on platform: Platform) -> Bool {
        let data = Data(file)
        guard platform == .android else {
            guard let file = try? JSONDecoder().decode(AppleFile.self, from: data) else { return false }
            let apps =
                switch self {
                case .links: file.applinks?.details.flatMap(\.appIDs) ?? []
                case .passkeys: file.webcredentials?.apps ?? []
                }
            return apps.contains(app.appleAppID)
        }
        let statements = (try? JSONDecoder().decode([AndroidStatement].self, from: data)) ?? []
        return statements.contains { statement in
            statement.relation.contains(androidRelation) && statement.target.namespace == "android_app"
                && statement.target.package == app.androidPackage
                && statement.target.fingerprints?.contains(app.androidFingerprint) == true
        }
    }

    private var androidRelation: String {
        switch self {
        case .links: "delegate_permission/common.handle_all_urls"
        case .passkeys: "delegate_permission/common.get_login_creds"
        }
    }
}

private struct AppleFile: Decodable {
    struct Links: Decodable {
        struct Detail: Decodable { let appIDs: [String] }

        let details: [Detail]
    }

    struct Credentials: Decodable { let apps: [String] }

    let applinks: Links?
    let webcredentials: Credentials?
}

private struct AndroidStatement: Decodable {
    struct Target: Decodable {
        let namespace: String
        let package: String?
        let fingerprints: [String]?

        enum CodingKeys: String, CodingKey {
            case namespace
            case package = "package_name"
            case fingerprints = "sha256_cert_fingerprints"
        }
    }

    let relation: [String]
    let target: Target
}

extension AppHost {
    /// Whether the platform finds the app in the file of its domain.
    func isNamed(for purpose: DomainAssociation) async -> Bool {
        let platform = device.profile.platform
        guard let path = DomainAssociation.path(on: platform) else { return true }
        guard let file = await services.readFile(path) else { return false }
        return purpose.isAllowed(to: AppRegistration(), by: file, on: platform)
    }
}

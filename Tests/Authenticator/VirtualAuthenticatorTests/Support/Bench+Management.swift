import Biometrics
import CBOR
import CTAP
import Crypto
import DeviceProfiles
import Foundation
import ProfileFiles
import TestSupport
import Testing
import VirtualAuthenticator

/// A request of a command that manages a key, whose code covers the whole message.
protocol ManagementRequest: Sendable {
    static var command: CTAPCommand { get }
    var authenticatedMessage: [UInt8] { get }
    var pinUvAuthProtocol: Int? { get set }
    var pinUvAuthParam: [UInt8]? { get set }
    var cbor: CBOR.Value { get }
}

extension CredentialManagementRequest: ManagementRequest {
    static let command = CTAPCommand.credentialManagement
}

extension BioEnrollmentRequest: ManagementRequest {
    static let command = CTAPCommand.bioEnrollment
}

extension AuthenticatorConfigRequest: ManagementRequest {
    static let command = CTAPCommand.config
}

extension LargeBlobsRequest: ManagementRequest {
    static let command = CTAPCommand.largeBlobs
}

extension ManagementRequest {
    mutating func authenticate(_ token: PINClient.Token) {
        pinUvAuthProtocol = token.pinProtocol.rawValue
        pinUvAuthParam = token.authenticate(authenticatedMessage)
    }
}

extension Bench {
    /// SHA-256 of ``rpID``.
    static let rpIDHash = sha256(Array(rpID.utf8))

    static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// The profile with every feature, with a PIN and fingers on request.
    static func complete(
        pin: Bool = false, fingers: [[UInt8]] = [], person: (any User)? = nil,
        storage: (any AuthenticatorStorage)? = nil,
        _ change: (inout AuthenticatorConfiguration) -> Void = { _ in }
    ) async throws -> Bench {
        let profile = try ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)
            .profile("security-key-complete")
        let bench = Bench(gate: profile.gate, person: person, storage: storage) {
            $0 = profile.authenticator
            change(&$0)
        }
        for id in fingers {
            try await bench.device.changeGate { gate, now throws(GateError) in
                try gate.enrol(BiometricTemplate(id: id, name: "finger"), at: now)
            }
        }
        if pin { try await bench.setPIN() }
        return bench
    }

    /// Sends a request, with a token's code or without one.
    func manage(_ request: some ManagementRequest, _ token: PINClient.Token? = nil) async -> Answer {
        var request = request
        if let token { request.authenticate(token) }
        return await send(type(of: request).command, request.cbor)
    }

    /// A token for a command that manages the key, bound to no relying party.
    func token(
        for permissions: PINUVAuthTokenPermissions, _ pinProtocol: PINUVAuthProtocol? = nil, rpID: String? = nil
    ) async throws -> PINClient.Token {
        try await token(pinProtocol, permissions: permissions, rpID: rpID)
    }

    /// Sends a request with a fresh token from the PIN.
    func manage(_ request: some ManagementRequest, with permissions: PINUVAuthTokenPermissions) async throws -> Answer {
        await manage(request, try await token(for: permissions))
    }

    /// A new discoverable credential, made with a token if the device requires one.
    func discoverable(
        _ user: UInt8, at rpID: String = Bench.rpID, _ extensions: [String: CBOR.Value]? = nil
    ) async throws -> Made {
        let isPINSet = await device.snapshot().isPINSet
        let token = isPINSet ? try await token(permissions: .makeCredential, rpID: rpID) : nil
        return try await make {
            $0.rp.id = rpID
            $0.user = PublicKeyCredentialUserEntity(id: [user], name: "user \(user)", displayName: "User \(user)")
            $0.options["rk"] = true
            $0.extensions = extensions
            if let token { $0.authenticate(token) }
        }.made()
    }
}

extension Answer {
    func credentials() throws -> CredentialManagementResponse { try CredentialManagementResponse(cbor: valueOrEmpty()) }
    func bio() throws -> BioEnrollmentResponse { try BioEnrollmentResponse(cbor: valueOrEmpty()) }
    func blobs() throws -> [UInt8] { try #require(LargeBlobsResponse(cbor: value()).config) }

    private func valueOrEmpty() throws -> CBOR.Value {
        try #require(told == .ok)
        return bytes.count == 1 ? [:] : try value()
    }
}

extension CredentialManagementRequest {
    /// A request of this subcommand, with the changes of `change`.
    static func of(
        _ subCommand: CredentialManagementSubcommand, _ change: (inout CredentialManagementRequest) -> Void = { _ in }
    ) -> CredentialManagementRequest {
        var request = CredentialManagementRequest(subCommand: subCommand)
        change(&request)
        return request
    }
}

extension BioEnrollmentRequest {
    /// A request of this subcommand, with the changes of `change`.
    static func of(
        _ subCommand: BioEnrollmentSubcommand, _ change: (inout BioEnrollmentRequest) -> Void = { _ in }
    ) -> BioEnrollmentRequest {
        var request = BioEnrollmentRequest(subCommand: subCommand)
        change(&request)
        return request
    }
}

extension AuthenticatorConfigRequest {
    /// A request of this subcommand, with the changes of `change`.
    static func of(
        _ subCommand: AuthenticatorConfigSubcommand, _ change: (inout AuthenticatorConfigRequest) -> Void = { _ in }
    ) -> AuthenticatorConfigRequest {
        var request = AuthenticatorConfigRequest(subCommand: subCommand)
        change(&request)
        return request
    }
}

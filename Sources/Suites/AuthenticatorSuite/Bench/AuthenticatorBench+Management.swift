internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance

extension AuthenticatorBench {
    /// The parameters that name the case's relying party by its hash.
    var rpIDHashParameters: CBOR.Map { [0x01: .bytes(sha256(Array(relyingPartyID.utf8)))] }

    func manage(
        _ subcommand: CredentialManagementSubcommand, _ parameters: CBOR.Map? = nil, token: HeldToken?,
        command: CTAPCommand = .credentialManagement
    ) async throws -> AuthenticatorAnswer {
        try await send(command, manageRequest(subcommand, parameters, token: token))
    }

    func manageRequest(
        _ subcommand: CredentialManagementSubcommand, _ parameters: CBOR.Map? = nil, token: HeldToken?
    ) -> CBOR.Map {
        var request: CBOR.Map = [0x01: .integer(subcommand.rawValue)]
        if let parameters { request[0x02] = .map(parameters) }
        guard let token else { return request }
        request[0x03] = .integer(token.pinProtocol.rawValue)
        request[0x04] = .bytes(token.authenticate([UInt8(subcommand.rawValue)] + Self.encoded(parameters)))
        return request
    }

    func configure(_ subcommand: AuthenticatorConfigSubcommand, _ parameters: CBOR.Map? = nil, token: HeldToken?)
        async throws -> AuthenticatorAnswer
    { try await send(.config, configRequest(subcommand.rawValue, parameters, token: token)) }

    func configRequest(_ subcommand: Int, _ parameters: CBOR.Map? = nil, token: HeldToken?) -> CBOR.Map {
        var request: CBOR.Map = [0x01: .integer(subcommand)]
        if let parameters { request[0x02] = .map(parameters) }
        guard let token else { return request }
        request[0x03] = .integer(token.pinProtocol.rawValue)
        request[0x04] = .bytes(
            token.authenticate(
                [UInt8](repeating: 0xFF, count: 32) + [0x0D, UInt8(truncatingIfNeeded: subcommand)]
                    + Self.encoded(parameters)))
        return request
    }

    func enrol(
        _ subcommand: BioEnrollmentSubcommand, _ parameters: CBOR.Map? = nil, token: HeldToken?,
        command: CTAPCommand = .bioEnrollment
    ) async throws -> AuthenticatorAnswer {
        try await send(command, enrolRequest(subcommand.rawValue, parameters, token: token))
    }

    func enrolRequest(_ subcommand: Int, _ parameters: CBOR.Map? = nil, token: HeldToken?) -> CBOR.Map {
        var request: CBOR.Map = [0x01: 0x01, 0x02: .integer(subcommand)]
        if let parameters { request[0x03] = .map(parameters) }
        guard let token else { return request }
        request[0x04] = .integer(token.pinProtocol.rawValue)
        request[0x05] = .bytes(
            token.authenticate([0x01, UInt8(truncatingIfNeeded: subcommand)] + Self.encoded(parameters)))
        return request
    }

    private static func encoded(_ parameters: CBOR.Map?) -> [UInt8] { parameters.map { CBOR.encode(.map($0)) } ?? [] }

    // MARK: Large blobs

    /// Sends a fragment of large blobs; the first one states the length of the whole array.
    func writeBlobs(
        _ fragment: [UInt8], at offset: Int = 0, of length: Int? = nil, token: HeldToken?
    ) async throws -> AuthenticatorAnswer {
        try await send(.largeBlobs, writeRequest(fragment, at: offset, of: length, token: token))
    }

    func writeRequest(_ fragment: [UInt8], at offset: Int = 0, of length: Int? = nil, token: HeldToken?) -> CBOR.Map {
        var request: CBOR.Map = [0x02: .bytes(fragment), 0x03: .integer(offset)]
        if offset == 0 { request[0x04] = .integer(length ?? fragment.count) }
        guard let token else { return request }
        let position = (0..<4).map { UInt8(truncatingIfNeeded: offset >> (8 * $0)) }
        let message = [UInt8](repeating: 0xFF, count: 32) + [0x0C, 0x00] + position + sha256(fragment)
        request[0x05] = .bytes(token.authenticate(message))
        request[0x06] = .integer(token.pinProtocol.rawValue)
        return request
    }

    /// The stored array of large blobs, read in one piece or several.
    func storedBlobs() async throws -> [UInt8] {
        let step = maxFragmentLength
        var all: [UInt8] = []
        while true {
            let part = try bytes(
                try await accept(.largeBlobs, [0x01: .integer(step), 0x03: .integer(all.count)]), 0x01, "config")
            all += part
            guard part.count == step else { return all }
        }
    }

    /// The bytes of large blobs that fit in a message (CTAP 2.3 §6.10.2).
    var maxFragmentLength: Int { (info.maxMsgSize ?? 1024) - 64 }
}

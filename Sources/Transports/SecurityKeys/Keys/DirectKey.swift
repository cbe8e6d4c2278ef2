package import CTAP

/// A key managed by this project's client, over CTAP2.
package struct DirectKey: SecurityKey {
    private let device: any CTAPDevice
    private let client: AuthenticatorClient

    package init(_ device: any CTAPDevice, onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void = { _ in }) {
        self.device = device
        client = AuthenticatorClient(device, onKeepalive: onKeepalive)
    }

    package func getInfo() async throws(SecurityKeyError) -> [UInt8] {
        let answer: [UInt8]
        do {
            answer = try await device.transceive([CTAPCommand.getInfo.rawValue])
        } catch {
            throw .device(error)
        }
        guard answer.first == CTAPStatus.ok.rawValue else {
            throw .refused(CTAPStatus(rawValue: answer.first ?? CTAPStatus.other.rawValue))
        }
        return Array(answer.dropFirst())
    }

    // MARK: PIN and built-in verification

    package func pinRetries() async throws(SecurityKeyError) -> Int {
        try await pins { pins async throws(AuthenticatorClient.Failure) in try await pins.pinRetries().retries }
    }

    package func isPINBlockedUntilUnplugged() async throws(SecurityKeyError) -> Bool? {
        try await pins { pins async throws(AuthenticatorClient.Failure) in try await pins.pinRetries().powerCycleNeeded
        }
    }

    package func uvRetries() async throws(SecurityKeyError) -> Int {
        try await pins { pins async throws(AuthenticatorClient.Failure) in try await pins.uvRetries() }
    }

    package func setPIN(_ pin: String) async throws(SecurityKeyError) {
        try await pins { pins async throws(AuthenticatorClient.Failure) in try await pins.setPIN(pin) }
    }

    package func changePIN(from current: String, to new: String) async throws(SecurityKeyError) {
        try await pins { pins async throws(AuthenticatorClient.Failure) in
            try await pins.changePIN(from: current, to: new)
        }
    }

    // MARK: Ceremonies

    package func makeCredential(
        _ request: MakeCredentialRequest, pin: String?, uv: Bool
    ) async throws(SecurityKeyError) -> MakeCredentialResponse {
        var request = request
        let token = try await token(pin, uv: uv, .makeCredential, relyingPartyID: request.rp.id)
        if let token {
            request.pinUvAuthParam = token.authenticate(request.clientDataHash)
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
        } else if uv {
            request.options["uv"] = true
        }
        return try await run { [request] () async throws(AuthenticatorClient.Failure) in
            try await client.makeCredential(request)
        }
    }

    package func getAssertions(
        _ request: GetAssertionRequest, pin: String?, uv: Bool
    ) async throws(SecurityKeyError) -> [GetAssertionResponse] {
        var request = request
        let token = try await token(pin, uv: uv, .getAssertion, relyingPartyID: request.relyingPartyID)
        if let token {
            request.pinUvAuthParam = token.authenticate(request.clientDataHash)
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
        } else if uv {
            request.options["uv"] = true
        }
        return try await run { [request] () async throws(AuthenticatorClient.Failure) in
            var answers = [try await client.getAssertion(request)]
            while answers.count < answers[0].numberOfCredentials ?? 1 {
                answers.append(try await client.getNextAssertion())
            }
            return answers
        }
    }

    package func reset() async throws(SecurityKeyError) {
        try await run { () async throws(AuthenticatorClient.Failure) in try await client.reset() }
    }

    package func waitForTouch() async throws(SecurityKeyError) {
        try await run { () async throws(AuthenticatorClient.Failure) in try await client.selection() }
    }

    // MARK: Tokens

    /// A token with these permissions; nil without a PIN and without built-in verification.
    func token(
        _ pin: String?, uv: Bool = true, _ permissions: PINUVAuthTokenPermissions, relyingPartyID: String? = nil
    ) async throws(SecurityKeyError) -> PINClient.Token? {
        let info = try await info()
        let hasTokens = info.option(.pinUvAuthToken) == true
        if let pin {
            return try await pins(info) { pins async throws(AuthenticatorClient.Failure) in
                // Keys before CTAP 2.1 have tokens without permissions.
                try await pins.token(
                    pin: pin, permissions: hasTokens ? permissions : nil,
                    relyingPartyID: hasTokens ? relyingPartyID : nil)
            }
        }
        guard uv, hasTokens, info.option(.uv) == true else { return nil }
        return try await pins(info) { pins async throws(AuthenticatorClient.Failure) in
            try await pins.tokenUsingUV(permissions: permissions, relyingPartyID: relyingPartyID)
        }
    }

    func run<Result: Sendable>(
        _ work: () async throws(AuthenticatorClient.Failure) -> Result
    ) async throws(SecurityKeyError) -> Result {
        do {
            return try await work()
        } catch {
            throw SecurityKeyError(error)
        }
    }

    func withClient<Result: Sendable>(
        _ work: (AuthenticatorClient) async throws(AuthenticatorClient.Failure) -> Result
    ) async throws(SecurityKeyError) -> Result {
        try await run { () async throws(AuthenticatorClient.Failure) in try await work(client) }
    }

    private func pins<Result: Sendable>(
        _ known: AuthenticatorInfo? = nil, _ work: (PINClient) async throws(AuthenticatorClient.Failure) -> Result
    ) async throws(SecurityKeyError) -> Result {
        let info: AuthenticatorInfo
        if let known { info = known } else { info = try await self.info() }
        let known = (info.pinUvAuthProtocols ?? [1]).lazy.compactMap(PINUVAuthProtocol.init(rawValue:)).first
        guard let pinProtocol = known else {
            throw .unsupported("the key supports neither PIN/UV auth protocol 1 nor 2")
        }
        let pins = PINClient(client, protocol: pinProtocol, randomBytes: Self.randomBytes)
        return try await run { () async throws(AuthenticatorClient.Failure) in try await work(pins) }
    }

    @Sendable static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in .random(in: .min ... .max, using: &generator) }
    }
}

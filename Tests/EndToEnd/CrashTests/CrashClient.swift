import COSE
import CTAP
import CTAPHID
import Foundation
import TestSupport
import Testing
import Transports
import WebAuthn

/// A client that records every answer, and checks the device against them after every crash.
actor CrashClient {
    /// A credential the device answered for.
    private struct Credential {
        let id: [UInt8]
        let publicKey: COSE.PublicKey
        let isDiscoverable: Bool
        /// The highest counter value seen.
        var signCount: UInt32
    }

    private static let relyingPartyID = "example.com"
    private static let pin = "271828"
    private static let retriesAtMost = 8

    private let hasGlobalCounter: Bool
    private var random: SeededGenerator
    private var credentials: [Credential] = []
    /// The number of values used since the last crash.
    private var firstUnchecked = 0
    /// The highest value seen of the device's global counter.
    private var globalCount: UInt32 = 0
    /// The possible PIN retries: more than one value while an answer is outstanding or lost.
    private var possibleRetries: Set<Int> = [retriesAtMost]
    private var mismatchesInARow = 0
    private(set) var answers = 0
    /// The number of crashes between a request and its answer.
    private(set) var interruptions = 0

    init(hasGlobalCounter: Bool, seed: UInt64) {
        self.hasGlobalCounter = hasGlobalCounter
        random = SeededGenerator(seed: seed)
    }

    var credentialCount: Int { credentials.count }

    func number(in range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    /// The IDs of the credentials the device itself must keep.
    var discoverableIDs: Set<[UInt8]> { Set(credentials.filter(\.isDiscoverable).map(\.id)) }

    // MARK: Crashes and checks

    func setPIN(_ device: UDPDevice) async throws {
        try await pins(device).setPIN(Self.pin)
    }

    func registerOne(_ device: UDPDevice) async throws {
        try await register(device, isDiscoverable: true)
    }

    /// Waits for further answers to the client's work; the work ends at the latest when the device does not answer.
    func waitForAnswers(_ count: Int) async {
        let (goal, ended) = (answers + count, interruptions)
        while answers < goal, interruptions == ended { try? await Task.sleep(for: .milliseconds(1)) }
    }

    /// Sends requests until the device disconnects.
    func work(_ device: UDPDevice) async {
        mismatchesInARow = 0
        while true {
            do {
                switch Int.random(in: 0..<100, using: &random) {
                case ..<35: try await register(device, isDiscoverable: true)
                case ..<50: try await register(device, isDiscoverable: false)
                case ..<85: try await signIn(device)
                default: try await mistypePIN(device)
                }
            } catch AuthenticatorClient.Failure.device {
                interruptions += 1
                return
            } catch {
                Issue.record("the device answered with \(error)")
                return
            }
        }
    }

    /// Checks that the device still has the state it reported.
    ///
    /// - Parameter all: Whether to try every credential, or only those since the last crash and a few others.
    func check(_ device: UDPDevice, all: Bool = false) async throws {
        let retries = try await pins(device).pinRetries().retries
        #expect(possibleRetries.contains(retries), "PIN retries \(retries), possible were \(possibleRetries)")
        possibleRetries = [retries]
        let recent = all ? Array(credentials.indices) : Array(credentials.indices.dropFirst(firstUnchecked))
        let others = credentials.isEmpty ? [] : (0..<2).map { _ in Int.random(in: credentials.indices, using: &random) }
        firstUnchecked = credentials.count
        for index in recent + others { try await signIn(device, with: index) }
    }

    /// After a clean shutdown the counter continues without a gap; reserved values are returned.
    func expectNoGap(_ device: UDPDevice) async throws {
        guard let index = credentials.indices.last else { return }
        let before = hasGlobalCounter ? globalCount : credentials[index].signCount
        try await signIn(device, with: index)
        #expect(credentials[index].signCount == before + 1)
    }

    // MARK: Requests

    private func pins(_ device: UDPDevice) -> PINClient {
        PINClient(AuthenticatorClient(device), protocol: .two, randomBytes: SystemRandom.bytes)
    }

    private func register(_ device: UDPDevice, isDiscoverable: Bool) async throws {
        let hash = random.bytes(32)
        var request = MakeCredentialRequest(
            clientDataHash: hash, rp: PublicKeyCredentialRPEntity(id: Self.relyingPartyID),
            user: PublicKeyCredentialUserEntity(id: random.bytes(16), name: "ada"),
            pubKeyCredParams: [PublicKeyCredentialParameters(algorithm: .es256)])
        if isDiscoverable {
            request.options = ["rk": true]
            let token = try await token(device)
            request.pinUvAuthParam = token.authenticate(hash)
            request.pinUvAuthProtocol = token.pinProtocol.rawValue
        }
        let response = try await AuthenticatorClient(device).makeCredential(request)
        answers += 1
        let data = try AuthenticatorData(parsing: response.authenticatorData)
        let attested = try #require(data.attestedCredentialData)
        note(data.signCount, isFirst: true)
        credentials.append(
            Credential(
                id: attested.credentialID, publicKey: try COSE.PublicKey(cbor: attested.credentialPublicKey),
                isDiscoverable: isDiscoverable, signCount: data.signCount))
    }

    /// A token for the correct PIN, which restores all retries.
    private func token(_ device: UDPDevice) async throws -> PINClient.Token {
        possibleRetries.formUnion(possibleRetries.map { $0 - 1 } + [Self.retriesAtMost])
        let token = try await pins(device).token(
            pin: Self.pin, permissions: [.makeCredential, .getAssertion], relyingPartyID: Self.relyingPartyID)
        answers += 1
        possibleRetries = [Self.retriesAtMost]
        mismatchesInARow = 0
        return token
    }

    private func mistypePIN(_ device: UDPDevice) async throws {
        // The requests must not block the PIN: a blocked device would refuse all further ones.
        guard mismatchesInARow < 2, possibleRetries.allSatisfy({ $0 > 3 }) else {
            _ = try await token(device)
            return
        }
        let before = possibleRetries
        possibleRetries.formUnion(before.map { $0 - 1 })
        do {
            _ = try await pins(device).token(pin: "000000", permissions: nil)
            Issue.record("a wrong PIN gave a token")
        } catch {
            guard error.status == .pinInvalid else { throw error }
            answers += 1
            mismatchesInARow += 1
            possibleRetries = Set(before.map { $0 - 1 })
        }
    }

    private func signIn(_ device: UDPDevice) async throws {
        guard !credentials.isEmpty else { return }
        try await signIn(device, with: Int.random(in: credentials.indices, using: &random))
    }

    private func signIn(_ device: UDPDevice, with index: Int) async throws {
        let hash = random.bytes(32)
        var request = GetAssertionRequest(relyingPartyID: Self.relyingPartyID, clientDataHash: hash)
        request.allowList = [PublicKeyCredentialDescriptor(id: credentials[index].id)]
        let response = try await AuthenticatorClient(device).getAssertion(request)
        answers += 1
        let data = try AuthenticatorData(parsing: response.authenticatorData)
        #expect(
            credentials[index].publicKey.verify(response.signature, over: response.authenticatorData + hash),
            "the signature of credential \(index)")
        #expect(
            data.signCount > credentials[index].signCount,
            "credential \(index) counted \(data.signCount) after \(credentials[index].signCount)")
        credentials[index].signCount = data.signCount
        note(data.signCount, isFirst: false)
    }

    /// Every value of a global counter occurs once.
    private func note(_ count: UInt32, isFirst: Bool) {
        guard hasGlobalCounter else {
            if isFirst { #expect(count == 0) }
            return
        }
        #expect(count > globalCount, "the device counted \(count) after \(globalCount)")
        globalCount = count
    }
}

private enum SystemRandom {
    @Sendable static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max) }
    }
}

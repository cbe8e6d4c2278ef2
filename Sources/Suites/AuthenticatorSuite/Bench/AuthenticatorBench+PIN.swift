internal import CBOR
package import CTAP
internal import Conformance
internal import Synchronization

extension AuthenticatorBench {
    /// The PIN, where the bench knows it.
    package var pin: String? { state.withLock { $0.pin } }

    /// A PIN that is not the authenticator's.
    static let wrongPIN = "8264-wrong"

    var knownPIN: String {
        get throws(CaseStop) {
            guard let pin else { throw .notRun("the key's PIN is not known; give it with --pin-file") }
            return pin
        }
    }

    /// Notes the PIN that a case set by itself; nil when it can no longer be used.
    package func notePIN(_ pin: String?) { state.withLock { $0.pin = pin } }

    /// The PIN/UV auth protocols it declares and the bench knows, most preferred first.
    package var pinProtocols: [PINUVAuthProtocol] {
        (info.pinUvAuthProtocols ?? [1]).compactMap(PINUVAuthProtocol.init)
    }

    /// - Throws: `CaseStop` where the bench knows none of them.
    package var preferredProtocol: PINUVAuthProtocol {
        get throws {
            guard let first = pinProtocols.first else {
                throw CaseStop.notApplicable("the authenticator has no PIN/UV auth protocol that the bench knows")
            }
            return first
        }
    }

    /// A client of the PIN commands; its exchanges are noted.
    package func pinClient(_ pinProtocol: PINUVAuthProtocol? = nil) throws -> PINClient {
        PINClient(client, protocol: try pinProtocol ?? preferredProtocol) { count in self.randomBytes(count) }
    }

    /// A PIN of an allowed length that no complexity policy should refuse.
    package var suitablePIN: String {
        let pattern = Array("7k4!q9Zx2m8Rt5wB")
        let length = max(6, info.minPINLength ?? 4)
        return String((0..<length).map { pattern[$0 % pattern.count] })
    }

    /// Sets a PIN unless one is set, and returns it.
    ///
    /// - Throws: `CaseStop` where the PIN is not known, or may not be set.
    @discardableResult
    package func ensurePIN() async throws -> String {
        switch info.option(.clientPin) {
        case nil: throw CaseStop.notApplicable("the authenticator has no client PIN")
        case true?: return try knownPIN
        case false?:
            guard mayChange else { throw CaseStop.notRun("the key has no PIN, and only --destructive sets one") }
            let pin = suitablePIN
            do {
                try await pinClient().setPIN(pin)
            } catch {
                throw CaseStop.blocked("a PIN of \(pin.count) characters could not be set: \(error)")
            }
            notePIN(pin)
            try await readInfo()
            return pin
        }
    }

    /// A token obtained with the PIN, which is set before where none is.
    ///
    /// An authenticator without tokens with permissions gives one of CTAP 2.0.
    ///
    /// - Throws: `CaseStop.notRun` where the PIN is not known or may not be set, and for a refusal.
    package func clientToken(
        _ permissions: PINUVAuthTokenPermissions, relyingPartyID: String? = nil,
        protocol pinProtocol: PINUVAuthProtocol? = nil
    ) async throws -> PINClient.Token {
        let pin = try await ensurePIN()
        let hasPermissions = has(.pinUvAuthToken)
        do {
            let token = try await pinClient(pinProtocol).token(
                pin: pin, permissions: hasPermissions ? permissions : nil,
                relyingPartyID: hasPermissions ? relyingPartyID : nil)
            state.withLock { $0.hasHadToken = true }
            return token
        } catch let failure as AuthenticatorClient.Failure {
            throw CaseStop.blocked("the token of the case could not be had: \(failure)")
        }
    }

    /// Presents the right PIN, after a power cycle where the PIN is blocked until then.
    func presentKnownPIN() async throws -> AuthenticatorAnswer {
        let answer = try await present(try knownPIN)
        guard answer.status == .pinAuthBlocked else { return answer }
        try await powerCycle()
        return try await present(try knownPIN)
    }

    /// Presents the PIN that the user gave, so that a wrong one spends one try and no case; the last try is left alone.
    ///
    /// - Returns: the refusal, nil where the PIN was not presented, and the tries that are left; nil for the right PIN, and
    ///   where none was given or is set.
    /// - Throws: `CTAPDeviceError` when there is no answer.
    package func refusalOfGivenPIN() async throws -> (status: CTAPStatus?, retries: Int)? {
        guard let pin = settings.pin, info.option(.clientPin) == true, let before = try? await pinRetries().retries
        else { return nil }
        guard before != 1 else { return (nil, before) }
        let status = try await present(pin).status
        guard status != .ok else { return nil }
        return (status, (try? await pinRetries().retries) ?? before)
    }

    func restoreRetries() async throws { expect(try await presentKnownPIN(), .ok) }

    /// Sets the demand to change the PIN, and returns the token that did so.
    func forcePINChange() async throws -> HeldToken {
        let token = try await pinToken(.authenticatorConfiguration)
        expect(try await configure(.setMinPINLength, [0x03: true], token: token), .ok)
        return token
    }
}

internal import CBOR
internal import COSE
internal import CTAP
internal import Conformance

extension Platform {
    /// A PIN that is not the authenticator's.
    static let wrongPIN = "8264-wrong"

    /// The relying party of the case.
    var rpID: String { bench.relyingPartyID }

    /// The PIN that is set.
    var pin: String {
        get throws(CaseStop) {
            guard let pin = bench.pin else { throw .notRun("the PIN of the key is not known; --pin-file gives it") }
            return pin
        }
    }

    /// The most preferred PIN/UV auth protocol.
    var preferred: PINUVAuthProtocol {
        get throws { try bench.preferredProtocol }
    }

    static func digest(_ bytes: [UInt8]) -> [UInt8] { sha256(bytes) }

    /// Ends the case unless getInfo lacks an option altogether.
    func requireAbsent(_ option: InfoOption) throws(CaseStop) {
        guard bench.info.option(option) == nil else { throw .notApplicable("getInfo has the option \(option)") }
    }

    /// Takes the power away and gives it back.
    func powerCycle() async throws { try await bench.powerCycle() }

    /// Lets time pass.
    func advance(by span: Duration) async throws { try await bench.wait(span) }

    /// Presents the right PIN, after a power cycle where the PIN is blocked until then.
    func restoreRetries() async throws {
        var answer = try await present(try pin)
        if answer.status == .pinAuthBlocked {
            try await powerCycle()
            answer = try await present(try pin)
        }
        expect(answer, [.ok])
    }

    /// Sets the demand to change the PIN, and returns the token that did so.
    func forcePINChange() async throws -> HeldToken {
        let token = try await pinToken(.authenticatorConfiguration)
        expect(try await configure(.setMinPINLength, [0x03: true], token: token), [.ok])
        return token
    }
}

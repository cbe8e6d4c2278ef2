import Biometrics
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("Several accounts")
struct SeveralAccountsTests {
    /// A device with this number of discoverable accounts, whose user handles count from 1.
    static func bench(
        _ count: UInt8, gate: UserVerificationGate? = nil,
        _ change: (inout AuthenticatorConfiguration) -> Void = { _ in }
    ) async -> Bench {
        let bench = Bench(gate: gate, change)
        for number in 1...count {
            await bench.make {
                $0.options["rk"] = true
                if gate != nil { $0.options["uv"] = true }
                $0.user = PublicKeyCredentialUserEntity(id: [number], name: "user \(number)", displayName: "User")
            }
        }
        return bench
    }

    static let nothing = Told(.notAllowed, "getNextAssertion.nothingPending")

    @Test func assertionsFollowNewestFirstUntilNoneIsLeft() async throws {
        let bench = await Self.bench(3)
        let first = try await bench.get().got().response
        #expect(first.user == PublicKeyCredentialUserEntity(id: [3]))
        #expect(first.numberOfCredentials == 3)
        for handle: UInt8 in [2, 1] {
            let got = try await bench.next().got()
            // Only a verified user gets names (CTAP 2.3 §6.2.3).
            #expect(got.response.user == PublicKeyCredentialUserEntity(id: [handle]))
            #expect(got.response.numberOfCredentials == nil)
            #expect(try got.flags() == [.userPresent])
        }
        #expect(await bench.next().told == Self.nothing)
        #expect(bench.person.presencePrompts == 4)
    }

    @Test func onlyAVerifiedUserWithSeveralAccountsGetsNames() async throws {
        let bench = await Self.bench(2, gate: try Gates.key())
        let first = try await bench.get { $0.options["uv"] = true }.got()
        #expect(first.response.user == PublicKeyCredentialUserEntity(id: [2], name: "user 2", displayName: "User"))
        let second = try await bench.next().got()
        #expect(second.response.user?.name == "user 1")
        #expect(try second.flags() == [.userPresent, .userVerified])
        let alone = await Self.bench(1, gate: try Gates.key())
        let only = try await alone.get { $0.options["uv"] = true }.got().response
        #expect(only.user == PublicKeyCredentialUserEntity(id: [1]))
        #expect(only.numberOfCredentials == nil)
    }

    @Test func aSilentRunStaysSilent() async throws {
        let bench = await Self.bench(2)
        #expect(try await bench.get { $0.options["up"] = false }.got().response.numberOfCredentials == 2)
        #expect(try await bench.next().got().flags() == [])
    }

    @Test func theRestWaitsThirtySecondsAfterEachAnswer() async {
        let bench = await Self.bench(4)
        #expect(await bench.get().told == .ok)
        for _ in 0..<2 {
            bench.clock.advance(by: .seconds(30))
            #expect(await bench.next().told == .ok)
        }
        bench.clock.advance(by: .milliseconds(30_001))
        #expect(await bench.next().told == Told(.notAllowed, "getNextAssertion.expired"))
        #expect(await bench.next().told == Self.nothing)
    }

    @Test(
        arguments: [
            [0x04], [0x0B], [0x06, 0xA1, 0x02, 0x01], [0x06], [0x55], [0x02, 0xA0],
        ] as [[UInt8]])
    func anyOtherCommandEndsTheRun(message: [UInt8]) async {
        let bench = await Self.bench(2)
        #expect(await bench.get().told == .ok)
        _ = await bench.send(message)
        #expect(await bench.next().told == Self.nothing)
    }

    @Test func nothingIsPendingWithoutSeveralAccounts() async throws {
        let bench = await Self.bench(1)
        #expect(await bench.next().told == Self.nothing)
        #expect(await bench.get().told == .ok)
        #expect(await bench.next().told == Self.nothing)
        let three = await Self.bench(3)
        let ids = await three.device.snapshot().credentials.map(\.id)
        // With an allow list the authenticator chooses, and nothing is pending.
        let got = try await three.get { $0.allowList = ids.map { PublicKeyCredentialDescriptor(id: $0) } }.got()
        #expect(got.response.numberOfCredentials == nil)
        #expect(await three.next().told == Self.nothing)
    }

    @Test func aPowerCycleEndsTheRun() async {
        let bench = await Self.bench(2)
        #expect(await bench.get().told == .ok)
        await bench.device.powerCycle()
        #expect(await bench.next().told == Self.nothing)
    }

    // MARK: Choosing on the device

    @Test func theUserChoosesAnAccountOnADisplay() async throws {
        let bench = await Self.bench(3) { $0.hasDisplay = true }
        bench.person.willChoose([1])
        let got = try await bench.get().got().response
        #expect(got.user == PublicKeyCredentialUserEntity(id: [2]))
        #expect(got.userSelected == true)
        #expect(got.numberOfCredentials == nil)
        #expect(await bench.next().told == Self.nothing)
    }

    @Test(arguments: [nil, -1, 3, .max] as [Int?])
    func choosingNoAccountIsDenied(choice: Int?) async {
        let bench = await Self.bench(3) { $0.hasDisplay = true }
        bench.person.willChoose([choice])
        #expect(await bench.get().told == Told(.operationDenied, "getAssertion.noAccountChosen"))
    }

    @Test func aSingleAccountIsNotChosen() async throws {
        let bench = await Self.bench(1) { $0.hasDisplay = true }
        #expect(try await bench.get().got().response.userSelected == nil)
    }

    @Test func aDisplayShowsNoAccountsForASilentLookUp() async throws {
        let bench = await Self.bench(2, gate: Gates.phone) { $0.hasDisplay = true }
        let silent = try await bench.get { $0.options = ["up": false] }.got().response
        #expect(silent.numberOfCredentials == 2)
        #expect(silent.userSelected == nil)
        // CTAP 2.3 §6.2.2 step 12.2.3: one of the two options is enough.
        let verified = try await bench.get { $0.options = ["up": false, "uv": true] }.got().response
        #expect(verified.userSelected == true)
    }
}

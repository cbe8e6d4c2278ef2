import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("Signature counters")
struct CounterTests {
    /// The counters in the answers to two registrations and these assertions.
    static func counters(
        _ mode: AuthenticatorConfiguration.CounterMode, rk: Bool, _ order: [Int]
    ) async throws -> (made: [UInt32], got: [UInt32], log: [UInt32]) {
        let bench = Bench { $0.counterMode = mode }
        var descriptors: [PublicKeyCredentialDescriptor] = []
        var made: [UInt32] = []
        for number: UInt8 in 1...2 {
            let credential = try await bench.make {
                $0.options["rk"] = rk
                $0.user.id = [number]
            }.made()
            made.append(try credential.data().signCount)
            descriptors.append(try credential.descriptor())
        }
        var got: [UInt32] = []
        for index in order {
            got.append(try await bench.get { $0.allowList = [descriptors[index]] }.got().data().signCount)
        }
        return (made, got, bench.log.counters)
    }

    @Test(arguments: [true, false])
    func aDeviceWithoutCountersAnswersZero(rk: Bool) async throws {
        let counters = try await Self.counters(.none, rk: rk, [0, 1, 0])
        #expect(counters == ([0, 0], [0, 0, 0], []))
    }

    @Test(arguments: [true, false])
    func aCredentialsOwnCounterMovesOnlyWithThatCredential(rk: Bool) async throws {
        let counters = try await Self.counters(.perCredential, rk: rk, [0, 0, 1, 0])
        #expect(counters == ([0, 0], [1, 2, 1, 3], [1, 2, 1, 3]))
    }

    @Test(arguments: [true, false])
    func theGlobalCounterAlsoMovesWithRegistrations(rk: Bool) async throws {
        let counters = try await Self.counters(.global, rk: rk, [0, 1, 0])
        #expect(counters == ([1, 2], [3, 4, 5], [1, 2, 3, 4, 5]))
    }

    @Test func aCredentialsOwnCounterMayStartAboveZero() async throws {
        let bench = Bench {
            $0.counterMode = .perCredential
            $0.initialSignatureCounter = 7
        }
        let made = try await bench.make().made()
        #expect(try made.data().signCount == 7)
        for expected: UInt32 in [8, 9] {
            #expect(try await bench.get { $0.allowList = [try made.descriptor()] }.got().data().signCount == expected)
        }
    }

    @Test func aTimestampCounterFollowsTheClock() async throws {
        let counters = try await Self.counters(.timestamp, rk: true, [0, 1])
        let now: UInt32 = 1_767_225_600
        #expect(counters == ([now, now], [now, now], [now, now, now, now]))
    }

    @Test(
        "A fault of the counter is one for the relying party that has the credential",
        arguments: [.global, .perCredential] as [AuthenticatorConfiguration.CounterMode],
        ["counter-backwards", "counter-stuck", "counter-zero"])
    func faultsFollowTheCredential(mode: AuthenticatorConfiguration.CounterMode, fault: String) async throws {
        let bench = Bench {
            $0.counterMode = mode
            $0.initialSignatureCounter = 1
        }
        var credentials: [PublicKeyCredentialDescriptor] = []
        for number: UInt8 in 1...2 {
            credentials.append(try await bench.make { $0.user.id = [number] }.made().descriptor())
        }
        var last: UInt32 = 0
        for index in [0, 1, 1, 1] {
            let count = try await bench.get { $0.allowList = [credentials[index]] }.got().data().signCount
            if index == 0 { last = count }
        }
        await bench.device.arm(try #require(AuthenticatorFault.named(fault)))
        let count = try await bench.get { $0.allowList = [credentials[0]] }.got().data().signCount
        let expected: [String: UInt32] = ["counter-backwards": last - 1, "counter-stuck": last, "counter-zero": 0]
        #expect(count == expected[fault])
    }

    @Test func refusedRequestsMoveNoCounter() async {
        let bench = Bench()
        bench.person.willAnswer([.declined])
        _ = await bench.make()
        _ = await bench.get()
        #expect(bench.log.counters.isEmpty)
    }

    @Test func countersSurviveAPowerCycle() async throws {
        let bench = Bench()
        let made = try await bench.make().made()
        await bench.device.powerCycle()
        #expect(try await bench.get { $0.allowList = [try made.descriptor()] }.got().data().signCount == 2)
    }

    @Test func everyAssertionOfARunMovesTheCounter() async throws {
        let bench = await SeveralAccountsTests.bench(2)
        #expect(try await bench.get().got().data().signCount == 3)
        #expect(try await bench.next().got().data().signCount == 4)
    }
}

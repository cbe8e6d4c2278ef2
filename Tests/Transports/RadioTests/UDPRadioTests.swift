import CTAPHybrid
import Foundation
import Radio
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct UDPRadioTests {
    private let sleeper = Sleeper()

    /// A group's port of this test; other programs seldom use these.
    private static func configuration() -> UDPRadio.Configuration {
        var configuration = UDPRadio.Configuration()
        configuration.port = Int.random(in: 20_000..<30_000)
        return configuration
    }

    /// Sends datagrams from a socket of another kind of program.
    private func send(_ datagrams: [[UInt8]], to configuration: UDPRadio.Configuration) async throws {
        let script = """
            import json, socket, sys
            group, port = sys.argv[1], int(sys.argv[2])
            sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
            for datagram in json.load(sys.stdin):
                sender.sendto(bytes(datagram), (group, port))
            """
        let content = String(decoding: try JSONEncoder().encode(datagrams), as: UTF8.self)
        _ = try await Python.run(
            script: script, arguments: [configuration.group, String(configuration.port)], standardInput: content)
    }

    @Test func radiosHearEachOtherAndNotThemselves() async throws {
        let configuration = Self.configuration()
        let environment = sleeper.environment()
        let phone = try await UDPRadio.open(configuration, environment: environment)
        let laptop = try await UDPRadio.open(configuration, environment: environment)
        let (onPhone, onLaptop) = (try await phone.adverts(), try await laptop.adverts())
        let first = try Advert(service: .google, serviceData: Array(0..<20), signalStrength: -50)
        let second = try Advert(serviceData: [])
        let broadcasts = [try await phone.broadcast(first), try await laptop.broadcast(second)]
        #expect(await onLaptop.first(1) == [first])
        #expect(await onPhone.first(1) == [second])
        for broadcast in broadcasts { await broadcast.end() }
        await phone.close()
        await laptop.close()
    }

    @Test func aLaterListenerHearsTheNextTransmission() async throws {
        let configuration = Self.configuration()
        let phone = try await UDPRadio.open(configuration, environment: sleeper.environment(seed: 1))
        let laptop = try await UDPRadio.open(configuration, environment: sleeper.environment(seed: 2))
        let advert = try Advert(serviceData: [1])
        let broadcast = try await phone.broadcast(advert)
        let heard = try await laptop.adverts()
        await sleeper.waitForSleepers(1)
        sleeper.advance(by: .milliseconds(100))
        #expect(await heard.first(1) == [advert])
        await broadcast.end()
        await phone.close()
        await laptop.close()
    }

    @Test func badDatagramsAreIgnoredAndCounted() async throws {
        let configuration = Self.configuration()
        let laptop = try await UDPRadio.open(configuration, environment: sleeper.environment())
        let heard = try await laptop.adverts()
        let advert = try Advert(serviceData: [5])
        let good = AdvertDatagram(radio: 1, broadcast: 1, advert: advert).bytes
        let bad: [[UInt8]] = [[], [0], good + [0], Array(good.dropLast()), Array(repeating: 0xFF, count: 60_000)]
        try await send(bad + [good], to: configuration)
        #expect(await heard.first(1) == [advert])
        #expect(laptop.ignoredDatagrams == bad.count)
        await laptop.close()
    }

    @Test func aRadioOutOfReachHearsNothing() async throws {
        var configuration = Self.configuration()
        configuration.conditions.isInReach = false
        let laptop = try await UDPRadio.open(configuration, environment: sleeper.environment(seed: 1))
        configuration.conditions.isInReach = true
        let witness = try await UDPRadio.open(configuration, environment: sleeper.environment(seed: 2))
        let (onLaptop, onWitness) = (try await laptop.adverts(), try await witness.adverts())
        let missed = AdvertDatagram(radio: 1, broadcast: 1, advert: try Advert(serviceData: [1]))
        try await send([missed.bytes], to: configuration)
        #expect(await onWitness.first(1) == [missed.advert])
        // The same event loop may hand the datagram to the other socket later: a bad one after it is counted by both.
        try await send([[0]], to: configuration)
        while laptop.ignoredDatagrams == 0 { await Task.yield() }
        laptop.setConditions(RadioConditions())
        let second = AdvertDatagram(radio: 1, broadcast: 2, advert: try Advert(serviceData: [2]))
        try await send([second.bytes], to: configuration)
        #expect(await onLaptop.first(1) == [second.advert])
        await laptop.close()
        await witness.close()
    }

    @Test func aClosedRadioEndsItsStreamsAndRefuses() async throws {
        let laptop = try await UDPRadio.open(Self.configuration(), environment: sleeper.environment())
        let heard = try await laptop.adverts()
        await laptop.close()
        #expect(await heard.first(1) == [])
        await #expect(throws: RadioError.closed) { try await laptop.adverts() }
        await #expect(throws: RadioError.closed) { try await laptop.broadcast(Advert(serviceData: [])) }
    }

    @Test func aGroupThatIsNoneIsAnError() async throws {
        var configuration = Self.configuration()
        configuration.group = "127.0.0.300"
        await #expect(throws: RadioError.self) {
            try await UDPRadio.open(configuration, environment: sleeper.environment())
        }
    }
}

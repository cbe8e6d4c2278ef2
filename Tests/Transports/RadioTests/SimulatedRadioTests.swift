import Radio
import Testing

@Suite struct SimulatedRadioTests {
    private let sleeper = Sleeper()

    private func advert(_ byte: UInt8) throws -> Advert { try Advert(serviceData: [byte]) }

    @Test func anAdvertReachesTheOtherRadios() async throws {
        let air = SimulatedAir(environment: sleeper.environment())
        let (phone, laptop, tablet) = (air.radio(), air.radio(), air.radio())
        let (onLaptop, onTablet) = (try await laptop.adverts(), try await tablet.adverts())
        let broadcast = try await phone.broadcast(advert(1))
        #expect(await onLaptop.first(1) == [try advert(1)])
        #expect(await onTablet.first(1) == [try advert(1)])
        await broadcast.end()
    }

    @Test func aRadioDoesNotHearItself() async throws {
        let air = SimulatedAir(environment: sleeper.environment())
        let (phone, laptop) = (air.radio(), air.radio())
        let heard = try await phone.adverts()
        let own = try await phone.broadcast(advert(1))
        let other = try await laptop.broadcast(advert(2))
        #expect(await heard.first(1) == [try advert(2)])
        await own.end()
        await other.end()
    }

    @Test func aLaterListenerHearsAnAdvertOnTheAir() async throws {
        let air = SimulatedAir(environment: sleeper.environment())
        let (phone, laptop) = (air.radio(), air.radio())
        let broadcast = try await phone.broadcast(advert(1))
        #expect(await (try laptop.adverts()).first(1) == [try advert(1)])
        await broadcast.end()
    }

    @Test func anEndedBroadcastIsNotHeard() async throws {
        let air = SimulatedAir(environment: sleeper.environment())
        let (phone, laptop) = (air.radio(), air.radio())
        await (try phone.broadcast(advert(1))).end()
        let heard = try await laptop.adverts()
        let second = try await phone.broadcast(advert(2))
        #expect(await heard.first(1) == [try advert(2)])
        await second.end()
    }

    @Test func aRadioOutOfReachHearsAnAdvertWhenItComesBack() async throws {
        let air = SimulatedAir(environment: sleeper.environment())
        var away = RadioConditions()
        away.isInReach = false
        let (phone, laptop) = (air.radio(away), air.radio())
        let heard = try await laptop.adverts()
        let first = try await phone.broadcast(advert(1))
        await first.end()
        let second = try await phone.broadcast(advert(2))
        phone.setConditions(RadioConditions())
        #expect(await heard.first(1) == [try advert(2)])
        await second.end()
    }

    @Test func anAdvertArrivesAfterBothLatencies() async throws {
        let air = SimulatedAir(environment: sleeper.environment())
        var slow = RadioConditions()
        slow.latency = .milliseconds(30)
        slow.interval = .seconds(1000)
        let (phone, near, far) = (air.radio(slow), air.radio(), air.radio(slow))
        let (onNear, onFar) = (try await near.adverts(), try await far.adverts())
        let broadcast = try await phone.broadcast(advert(1))
        // Two arrivals and the repetition.
        await sleeper.waitForSleepers(3)
        sleeper.advance(by: .milliseconds(30))
        #expect(await onNear.first(1) == [try advert(1)])
        // The far radio's arrival has not come yet.
        await sleeper.waitForSleepers(2)
        sleeper.advance(by: .milliseconds(30))
        #expect(await onFar.first(1) == [try advert(1)])
        await broadcast.end()
    }

    @Test func aLostTransmissionIsRepeatedAfterTheInterval() async throws {
        let air = SimulatedAir(environment: sleeper.environment())
        var lossy = RadioConditions()
        lossy.loss = 1
        let (phone, laptop) = (air.radio(lossy), air.radio())
        let heard = try await laptop.adverts()
        let lost = try await phone.broadcast(advert(1))
        for _ in 0..<3 {
            await sleeper.waitForSleepers(1)
            sleeper.advance(by: .milliseconds(100))
        }
        await lost.end()
        lossy.loss = 0.9
        phone.setConditions(lossy)
        let second = try await phone.broadcast(advert(2))
        let reader = Task { await heard.first(1) }
        let time = Task {
            while !Task.isCancelled {
                sleeper.advance(by: .milliseconds(100))
                await Task.yield()
            }
        }
        #expect(await reader.value == [try advert(2)])
        time.cancel()
        await second.end()
    }

    @Test func aListenerHearsABroadcastOnce() async throws {
        let air = SimulatedAir(environment: sleeper.environment())
        let (phone, laptop) = (air.radio(), air.radio())
        let heard = try await laptop.adverts()
        let first = try await phone.broadcast(advert(1))
        await sleeper.waitForSleepers(1)
        sleeper.advance(by: .milliseconds(100))
        await sleeper.waitForSleepers(1)
        let second = try await phone.broadcast(advert(2))
        #expect(await heard.first(2) == [try advert(1), try advert(2)])
        await first.end()
        await second.end()
    }

    @Test func aClosedRadioEndsItsStreamsAndRefuses() async throws {
        let air = SimulatedAir(environment: sleeper.environment())
        let (phone, laptop) = (air.radio(), air.radio())
        let heard = try await laptop.adverts()
        laptop.close()
        #expect(await heard.first(1) == [])
        #expect(laptop.conditions == nil)
        await #expect(throws: RadioError.closed) { try await laptop.adverts() }
        await #expect(throws: RadioError.closed) { try await laptop.broadcast(advert(1)) }
        #expect(phone.conditions == RadioConditions())
    }

    @Test func anAdvertIsOnTheAirWhileAScopeRuns() async throws {
        let air = SimulatedAir(environment: sleeper.environment())
        let (phone, laptop) = (air.radio(), air.radio())
        let heard = try await phone.broadcasting(advert(1)) { await (try laptop.adverts()).first(1) }
        #expect(heard == [try advert(1)])
        let later = try await laptop.adverts()
        let second = try await phone.broadcast(advert(2))
        #expect(await later.first(1) == [try advert(2)])
        await second.end()
    }
}

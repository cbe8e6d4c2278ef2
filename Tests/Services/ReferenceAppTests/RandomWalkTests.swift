import AppWays
import TestSupport
import Testing

@testable import ReferenceApp

/// No state of the device and the app locks the user out.
struct RandomWalkTests {
    /// SplitMix64, so that each walk is the same in every run.
    struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    static let refusals: [AppAnswer] = [
        .unreachable, .refusal("session_expired"), .refusal("bad_jwt", 401), .json("", 503), .json("not JSON"),
        .refusal("code_expired"), .json("{}"),
    ]

    /// Ten parts make more than 50,000 walks.
    private static let walksOfAPart = 5_100

    @Test(arguments: Ring.sample(Array(0..<10), 3))
    func aWayToASessionIsAlwaysOnTheScreen(part: Int) throws {
        var reached: Set<AppScreen> = []
        for walk in 0..<Self.walksOfAPart {
            var dice = Dice(state: UInt64(part * Self.walksOfAPart + walk))
            var host = TestHost(
                .testing {
                    $0.style = AppSettings.Style.allCases.randomElement(using: &dice) ?? .boundKey
                    $0.policy = AppSettings.Policy.allCases.randomElement(using: &dice) ?? .optional
                    $0.sensor = SensorName.allCases.randomElement(using: &dice) ?? .none
                })
            host.role = AppRole.allCases.randomElement(using: &dice) ?? .peerMentor
            if Bool.random(using: &dice) { host.tap(.bankID, .approve, .enable) }
            for _ in 0..<8 {
                Self.step(&host, &dice)
                reached.insert(host.app.screen)
                try #require(host.app.hasWay(at: host.now), "walk \(walk) of part \(part) ends at \(host.app.screen)")
            }
        }
        #expect(Set(AppScreen.allCases).subtracting(reached).isEmpty)
    }

    static func step(_ host: inout TestHost, _ dice: inout Dice) {
        switch Int.random(in: 0..<10, using: &dice) {
        case 0: host.relaunch(after: .seconds(Int.random(in: 0...100_000, using: &dice)))
        case 1: host.handle(.resumed(away: .seconds(Int.random(in: 0...600, using: &dice))))
        case 2: host.setOnline(Bool.random(using: &dice))
        case 3: host.prompts = [SensorTrouble.allCases.randomElement(using: &dice)]
        case 4: host.isSameEnrolment = Bool.random(using: &dice)
        case 5:
            let paths = ["/gateway/v1/token?grant_type=refresh_token", "/gateway/v1/home", "/gateway/v1/login/bankid"]
            host.answers[paths.randomElement(using: &dice) ?? ""] = refusals.randomElement(using: &dice)
        case 6: host.attempts = Int.random(in: 0...4, using: &dice)
        default:
            host.isSilent = Int.random(in: 0..<20, using: &dice) == 0
            for field in host.app.inputs { host.enter(field, "120") }
            if let button = host.app.offers.randomElement(using: &dice) { host.tap(button) }
        }
    }
}

internal import COSE
internal import Foundation
internal import SimulatedPhone

/// Unlock tests of an app, each with a phone of its own, compared with signatures.
enum PhoneBenchmark: Benchmark {
    /// The limit is 2 s for 1,000 tests, if a signature takes 20 µs.
    static let rows = [
        BenchmarkRow(
            "an app's test with a phone of its own, to a lockout and back", over: "a signature, ES256", limit: 100)
    ]

    private static let tests = 20

    static func measure(_ order: BenchmarkOrder) async throws -> [Measurement?] {
        let key = try COSE.PrivateKey.generate(.es256) { [UInt8](repeating: 7, count: $0) }
        let measurement = try await Measurement.pair(rounds: min(order.rounds, 100)) {
            for _ in 0..<tests { try await unlock() }
        } baseline: {
            for _ in 0..<tests { _ = try key.sign([1, 2, 3]) }
        }
        return [measurement.divided(by: tests)]
    }

    /// The phone does not recognise the user five times, locks its sensor, and unlocks with the passcode.
    private static func unlock() async throws {
        let phone = try Phone("iphone-face-id")
        let keychain = SimulatedKeychain(phone: phone)
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "ada",
            kSecValueData as String: Data("token".utf8),
        ]
        guard keychain.add(item as CFDictionary, nil) == errSecSuccess else {
            throw BenchmarkFailure(description: "the Keychain refused an item")
        }
        for acts in [[PersonAct.noMatch, .noMatch, .giveUp], [.noMatch, .noMatch, .giveUp], [.noMatch]] {
            phone.person.will(acts)
            guard try await !isOpened(phone) else {
                throw BenchmarkFailure(description: "a user who was not recognised unlocked the app")
            }
        }
        try phone.lock()
        try phone.unlock()
        guard try await isOpened(phone) else { throw BenchmarkFailure(description: "the phone stayed locked out") }
        try phone.checkActs()
    }

    private static func isOpened(_ phone: Phone) async throws -> Bool {
        do {
            return try await SimulatedLAContext(phone: phone)
                .evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Unlock")
        } catch is LAError {
            return false
        }
    }
}

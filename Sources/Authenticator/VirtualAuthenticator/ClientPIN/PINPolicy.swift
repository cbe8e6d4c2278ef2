extension VirtualAuthenticator {
    /// Whether a PIN meets the complexity policy, whose rule is the device's own (CTAP 2.3 §6.4, pinComplexityPolicy).
    static func isComplex(_ pin: String) -> Bool {
        let points = pin.unicodeScalars.map { Int($0.value) }
        let steps = Set(zip(points, points.dropFirst()).map { $1 - $0 })
        if steps.isSubset(of: [0]) || steps == [1] || steps == [-1] { return false }
        // Repeated groups: 1212, 123123.
        for period in 2...3 where points.count > period && points.count.isMultiple(of: period) {
            if points.indices.allSatisfy({ points[$0] == points[$0 % period] }) { return false }
        }
        return !commonPINs.contains(pin.lowercased())
    }

    private static let commonPINs: Set<String> = [
        "password", "qwerty", "qwertz", "123321", "147258", "159753", "1qaz2wsx", "asdfgh", "letmein", "secret",
    ]
}

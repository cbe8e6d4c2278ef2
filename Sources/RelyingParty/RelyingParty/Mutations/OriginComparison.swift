internal import Mutations

/// Wrong comparisons of origins, for a mutation run.
enum OriginComparison {
    /// Whether an active mutation takes one origin for the expected one.
    static func mistakes(_ origin: String, for expected: String) -> Bool {
        VerifierMutation.originPrefix.isActive && origin.hasPrefix(expected)
            || VerifierMutation.originSuffix.isActive && origin.hasSuffix(withoutScheme(expected))
            || VerifierMutation.originInAnyCase.isActive && origin.lowercased() == expected.lowercased()
            || VerifierMutation.originWithoutPort.isActive && withoutPort(origin) == withoutPort(expected)
            || VerifierMutation.originWithoutScheme.isActive && withoutScheme(origin) == withoutScheme(expected)
            || VerifierMutation.originWithoutSlash.isActive && origin == expected + "/"
    }

    private static func withoutScheme(_ origin: String) -> Substring {
        origin.split(separator: "://", maxSplits: 1).last ?? ""
    }

    private static func withoutPort(_ origin: String) -> Substring {
        guard let colon = origin.lastIndex(of: ":"), origin[colon...].dropFirst().allSatisfy(\.isNumber) else {
            return origin[...]
        }
        return origin[..<colon]
    }
}

import CTAPHybrid
import TestSupport
import Testing

/// Keys and bytes that are the same in every run.
enum Sample {
    static func key(_ seed: UInt64) throws -> HybridKey {
        var generator = SeededGenerator(seed: seed)
        return try #require(HybridKey { generator.bytes($0) })
    }

    static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return generator.bytes(count)
    }

    static func plaintext(routingID bytes: [UInt8] = [9, 10, 11], domain: TunnelDomain = .google) throws
        -> AdvertPlaintext
    {
        let routingID = try #require(RoutingID(bytes))
        return try #require(AdvertPlaintext(nonce: Sample.bytes(10), routingID: routingID, domain: domain))
    }

    static func identity() throws -> PhoneIdentity {
        let identity = PhoneIdentity(rootSecret: bytes(32, seed: 32), contactID: [7, 8, 9], name: "Pixel 9")
        return try #require(identity)
    }
}

import CTAPHybrid
import TestSupport
import Testing

/// CTAP 2.3 §11.5.
@Suite("Key schedule of the hybrid transport")
struct KeyScheduleTests {
    private static let secret = [UInt8](hex: "00112233445566778899AABBCCDDEEFF")

    @Test(arguments: [
        (
            "",
            """
            efafab5b2c84a11c80e3ad0770353138b414a859ccd3afcc99e3d3250dba6508
            4ede8e38e75432617c0ccae1ffe5d8143df0db0cd6d296f489419cd6411ee505
            """
        ),
        (
            "FFEEDDCCBBAA998877665544332211",
            """
            168cf3dd220a7907f8bac30f559be92a3b6d937fe5594beeaf1e50e35976b7d6
            54dd550e22ae4c801b9d1cdbf0d2b1472daa1328661eb889acae3023b7ffa509
            """
        ),
    ])
    func theKeyOfAdvertsIsThePublishedOne(salt: String, key: String) {
        #expect(KeyPurpose.eidKey.derive(from: Self.secret, salt: [UInt8](hex: salt)) == [UInt8](hex: key))
    }

    @Test func theTunnelIDIsThePublishedOne() {
        let secret: [UInt8] = [1, 254, 166, 247, 196, 128, 116, 147, 220, 37, 111, 158, 172, 247, 86, 201]
        #expect(KeyPurpose.tunnelID.derive(from: secret).hex == "367cbbf5f5085df4098476afe4b9b1d2")
        let zeros = [UInt8](repeating: 0, count: 16)
        #expect(KeyPurpose.tunnelID.derive(from: zeros).hex == "3eef97097986413b059eaa2a30d653d4")
    }

    @Test func eachPurposeHasItsOwnKey() {
        let keys = KeyPurpose.allCases.map { Array($0.derive(from: Self.secret).prefix(16)) }
        #expect(Set(keys).count == KeyPurpose.allCases.count)
        #expect(KeyPurpose.allCases.map { $0.derive(from: Self.secret).count } == [64, 16, 32, 32, 32, 32])
    }

    @Test func secretsStayOutOfDescriptions() throws {
        let key = try Sample.key(1)
        let identity = try #require(
            PhoneIdentity(rootSecret: Sample.bytes(32), contactID: [1], name: "Pixel"))
        let described = "\(key) \(identity) \(EIDKey(secret: Self.secret))"
        #expect(described == "hybrid key phone identity EID key")
    }
}

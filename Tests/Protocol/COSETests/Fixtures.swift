import CBOR
import COSE
import TestSupport

/// A key pair and a signature that others made.
struct KnownAnswer: Sendable {
    let name: String
    let algorithm: COSE.Algorithm
    let privateKey: [UInt8]
    let publicKey: [UInt8]
    let message: [UInt8]
    let signature: [UInt8]
}

extension KnownAnswer: CustomStringConvertible {
    var description: String { name }

    /// WebAuthn L3, "Test Vectors": credential key pair and the assertion over authenticatorData ‖ clientDataHash.
    static let es256 = KnownAnswer(
        name: "WebAuthn ES256", algorithm: .es256,
        privateKey: [UInt8](hex: "6e68e7a58484a3264f66b77f5d6dc5bc36a47085b615c9727ab334e8c369c2ee"),
        publicKey: [UInt8](
            hex: """
                a501020326200121 5820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61
                22 5820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220
                """),
        message: [UInt8](
            hex: """
                bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000
                676a6e380fd31ea5710705c7be1ac4889b037895d0a25291f51251b7d7b1df02
                """),
        signature: [UInt8](
            hex: """
                3046 022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd38
                0221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87
                """))

    static let es384 = KnownAnswer(
        name: "WebAuthn ES384", algorithm: .es384,
        privateKey: [UInt8](
            hex: """
                271e37d309c558c0f35222b37abba7500377d68e179e4c74b0cb558551b2e527
                6b47b90a317ca8ebbe1a12c93c2d5dd9
                """),
        publicKey: [UInt8](
            hex: """
                a5010203382220022158304866bd8b01da789e9eb806e5eab05ae5a638542296ab057a2f1bbce9b58f8a08
                b9171390b58a37ac7fffc2c5f45857da2258302a0b024c7f4b72072a1f96bd30a7261aae9571dd39870eb2
                9e55c0941c6b08e89629a1ea1216aa64ce57c2807bf3901a
                """),
        message: [UInt8](
            hex: """
                bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b50d00000000
                85c49dd2bc85a3f9d8706d998809e4f833248cd1c8cfc4742f63c0463c431e00
                """),
        signature: [UInt8](
            hex: """
                3065 023100e4efbb46745ed00e67c4d51ab2bacab2af62ffa8b7c5fecec6d7d9bf2582275034a713a3dd731685eee81adfaf6aa63f
                0230161655353f07e018a3c2539f8de7c8c4cf88d4c32d2be29fe4e76fa096ecc9458bbfe0895d57129ab324130e6f0692db
                """))

    static let es512 = KnownAnswer(
        name: "WebAuthn ES512", algorithm: .es512,
        privateKey: [UInt8](
            hex: """
                00f11120594f6a4944ac3ba59adbbc5b85016895b649f4cc949a610f4b48be47b3
                18850bacb105f747647bba8852b6b8e52a0b3679f1bbbdfe18c99409bcb644fa45
                """),
        publicKey: [UInt8](
            hex: """
                a5010203382320032158420083240a2c3ad21a3dc0a6daa3d8bc05a46d7cd9825ba010ae2a22686c2d6d66
                3d7d5f678987fb1e767542e63dc197ae915e25f8ee284651af29066910a2cc083f50225842017337df47ab
                5cce5d716ef8caffa97a3012689b1f326ea6c43a1ba9596c72f71f0122390143552b42be772b4c35ffb961
                220c743b486a601ea4cb6d5412f5b078d3
                """),
        message: [UInt8](
            hex: """
                bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000
                835a16bf94641d3c3d4de1bc66dacbfe009c3c83814b4886ddeed476923f6560
                """),
        signature: [UInt8](
            hex: """
                308187 0242009bda02fe384e77bcb9fb42b07c395b7a53ec9d9616dd0308ab8495c2141c8364c7d16e212a
                4a4fb8e3987ff6c99eafd64d8484fd28c3fc7968f658a9033d1bb1b8
                02416383e9f3ee20c691b66620299fef36bea2df4d39c92b2ead92f58e7b79ab0d9864d2ebf3b0dcc66ea1
                3234492ccee6e9d421db43c959bcb94c162dc9494136c9f6
                """))

    static let edDSA = KnownAnswer(
        name: "WebAuthn EdDSA", algorithm: .edDSA,
        privateKey: [UInt8](hex: "971f38c0f73aaf0c5a614eb5e26430ae1ea0ed13e4f425d96e9662349340b0b3"),
        publicKey: [UInt8](
            hex: "a401010327200621582044e06ddd331c36a8dc667bab52bcae63486c916aa5e339e6acebaa84934bf832"),
        message: [UInt8](
            hex: """
                bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b50100000000
                4add3082a15ab4595b58820e913a01c0b5a0651b27ab54f8ce87959fb5a4ccfc
                """),
        signature: [UInt8](
            hex: """
                f5c59c7e46c34f6f8cc197101ddf9934fa2595f68eb1913a637e8419eb9ba4cf
                dfc48f85393bc0d40b011f0d6fecb097d6607525713223a0dc0d453993dae00b
                """))

    /// RFC 6979, A.2.5: P-256, SHA-256, message "sample".
    static let rfc6979 = KnownAnswer(
        name: "RFC 6979 A.2.5", algorithm: .esp256,
        privateKey: [UInt8](hex: "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"),
        publicKey: [UInt8](
            hex: """
                a501020328200121 582060fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6
                22 58207903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299
                """),
        message: Array("sample".utf8),
        signature: [UInt8](
            hex: """
                3046 022100efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716
                022100f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8
                """))

    /// RFC 8032, 7.1, TEST 2.
    static let rfc8032 = KnownAnswer(
        name: "RFC 8032 TEST 2", algorithm: .ed25519,
        privateKey: [UInt8](hex: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"),
        publicKey: [UInt8](
            hex: "a4010103322006215820 3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"),
        message: [0x72],
        signature: [UInt8](
            hex: """
                92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
                085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
                """))

    static let ed448 = KnownAnswer(
        name: "WebAuthn Ed448", algorithm: .ed448,
        privateKey: [UInt8](
            hex: """
                ed479eecf63bd89e3898434798bb3c417bfc8284f6f011958bc0e78edbf6a2a640c0e358b1b1452a1f3782c400
                dabb4134192dee3031869a45
                """),
        publicKey: [UInt8](
            hex: """
                a4010103383420072158398051ef4f94670b5abf17da2e9558ba6eba94eb8704363915b4d666de287ad329de9f
                1f075211aba602dc6e7a5e52b15a8ee1c984a9f8887380
                """),
        message: [UInt8](
            hex: """
                bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51d00000000
                274360ed3cec61b8f26f71f0385aa5e991c2ab08de80e4d373a0f0706b41c65c
                """),
        signature: [UInt8](
            hex: """
                071db921430e13ca1a607eedb96cbd30fd63946a06e731217cad6fd82ba3b930d482308a2c101752a2518cff70
                918d4a20f29bd2eda4f45a80bba6c4ad85b10fb721b1849725b7dbef315d5fb101c6dab890b06d94a8b52a74b5
                848f68e6152af24867b7555d2b22b8955cbff5c87de73b00
                """))

    /// The key 1, whose RFC 6979 signature many implementations of secp256k1 test, before s is made low.
    static let es256K = KnownAnswer(
        name: "secp256k1 key 1", algorithm: .es256K,
        privateKey: [UInt8](repeating: 0, count: 31) + [1],
        publicKey: [UInt8](
            hex: """
                a5010203382e2008 21582079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798
                225820483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8
                """),
        message: Array("Satoshi Nakamoto".utf8),
        signature: [UInt8](
            hex: """
                3046022100934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8022100dbbd3162d4
                6e9f9bef7feb87c16dc13b4f6568a87f4e83f728e2443ba586675c
                """))

    static let all = [es256, es384, es512, es256K, edDSA, ed448, rfc6979, rfc8032]
    static let ecdsa = [es256, es384, es512, es256K, rfc6979]
}

/// The orders of the groups of P-256, P-384, P-521 and secp256k1, big-endian (SEC 2).
func groupOrder(_ curve: COSE.Curve?) -> [UInt8] {
    switch curve {
    case .p256: [UInt8](hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    case .p384:
        [UInt8](
            hex: """
                ffffffffffffffffffffffffffffffffffffffffffffffff
                c7634d81f4372ddf581a0db248b0a77aecec196accc52973
                """)
    case .p521:
        [UInt8](
            hex: """
                01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa
                51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409
                """)
    case .secp256k1: [UInt8](hex: "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
    case .ed25519, .ed448, nil: []
    }
}

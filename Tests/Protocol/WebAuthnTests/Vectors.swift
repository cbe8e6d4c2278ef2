import TestSupport

/// Values from the test vectors of WebAuthn L3, RP ID `example.org`.
enum Vectors {
    static let relyingPartyIDHash = [UInt8](hex: "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b5")

    /// "ES256 Credential with No Attestation".
    static let credentialID = [UInt8](hex: "f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4")
    static let aaguid = "8446ccb9-ab1d-b374-750b-2367ff6f3a1f"
    static let publicKey = [UInt8](
        hex: """
            a5010203262001 215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61
            225820930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220
            """)
    static let registrationData =
        relyingPartyIDHash + [UInt8](hex: "59 00000000 8446ccb9ab1db374750b2367ff6f3a1f 0020") + credentialID
        + publicKey
    static let assertionData = relyingPartyIDHash + [UInt8](hex: "19 00000000")
    static let attestationObject =
        [UInt8](hex: "a3 63 666d74 64 6e6f6e65 67 61747453746d74 a0 68 6175746844617461 58a4") + registrationData

    /// "ES256 Credential with Self Attestation".
    static let selfAttestationObject = [UInt8](
        hex: """
            a3 63 666d74 66 7061636b6564 67 61747453746d74 a2 63 616c67 26 63 736967 5846
            30440220067a20754ab925005dbf378097c92120031581c73228d1fb4f5b881bcd7da983
            02207fc7b147558c7c0eba3af18bd9d121fa3d3a26d17fe3f220272178f473b6006d
            68 6175746844617461 58a4 bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b5
            5d 00000000 df850e09db6afbdfab51697791506cfc
            0020 455ef34e2043a87db3d4afeb39bbcb6cc32df9347c789a865ecdca129cbef58c
            a5010203262001 215820eb151c8176b225cc651559fecf07af450fd85802046656b34c18f6cf193843c5
            225820927b8aa427a2be1b8834d233a2d34f61f13bfd44119c325d5896e183fee484f2
            """)
}

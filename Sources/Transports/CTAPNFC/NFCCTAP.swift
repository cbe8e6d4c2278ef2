internal import CTAP

/// The constants of CTAP over ISO/IEC 7816 and 14443 (CTAP 2.3 §11.3).
package enum NFCCTAP {
    /// The identifier of the FIDO application (§11.3.3).
    package static let applicationID: [UInt8] = [0xA0, 0x00, 0x00, 0x06, 0x47, 0x2F, 0x00, 0x01]

    /// SELECT's answer from a device with CTAP1/U2F, with or without CTAP2 (§11.3.3).
    package static let u2fVersion = "U2F_V2"
    /// SELECT's answer from a device with CTAP2 only (§11.3.3).
    package static let ctap2Version = "FIDO_2_0"

    /// CLA of inter-industry commands: SELECT, GET RESPONSE, and those of U2F.
    package static let interindustryClass: UInt8 = 0x00
    /// CLA of CTAP2 commands (§11.3.5.1).
    package static let ctapClass: UInt8 = 0x80
    /// The bit of CLA for a command chain with more parts to come (§11.3.6).
    package static let chainingBit: UInt8 = 0x10

    /// INS.
    package enum Instruction {
        package static let message: UInt8 = 0x10
        package static let getResponse: UInt8 = 0x11
        package static let control: UInt8 = 0x12
        package static let select: UInt8 = 0xA4
        package static let interindustryGetResponse: UInt8 = 0xC0
    }

    /// P1 of NFCCTAP_MSG: the client supports NFCCTAP_GETRESPONSE (§11.3.7.1).
    static let supportsGetResponse: UInt8 = 0x80
    /// P1 of NFCCTAP_GETRESPONSE: cancels the request (§11.3.7.2).
    package static let cancel: UInt8 = 0x11
    /// P1 of NFCCTAP_CONTROL: END CTAP_MSG, the client has finished (§11.3.4).
    static let endMessage: UInt8 = 0x01
    /// P1 of SELECT: by application identifier.
    package static let byName: UInt8 = 0x04
}

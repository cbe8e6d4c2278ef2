import SwiftASN1
import X509

/// The contents of an Android certificate's key description; default: a key made in the trusted environment.
struct AndroidKeyForm {
    /// Replaces the client data hash.
    var challenge: [UInt8]?
    /// Encoded authorizations that Android enforces.
    var softwareEnforced: [[UInt8]] = []
    /// Encoded authorizations that the trusted execution environment enforces.
    var trustedEnvironmentEnforced = [Self.purposes(2), Self.origin(0)]
    var edit: ([UInt8]) -> [UInt8] = { $0 }

    /// purpose [1] EXPLICIT SET OF INTEGER.
    static func purposes(_ purposes: UInt8...) -> [UInt8] {
        element([0xA1], element([0x31], purposes.flatMap { [0x02, 0x01, $0] }))
    }

    /// allApplications [600] EXPLICIT NULL.
    static let allApplications = element([0xBF, 0x84, 0x58], [0x05, 0x00])

    /// origin [702] EXPLICIT INTEGER.
    static func origin(_ origin: UInt8) -> [UInt8] { element([0xBF, 0x85, 0x3E], [0x02, 0x01, origin]) }

    func certificateExtension(clientDataHash: [UInt8]) -> Certificate.Extension {
        let security: [UInt8] = [0x02, 0x02, 0x01, 0x2C, 0x0A, 0x01, 0x01, 0x02, 0x02, 0x01, 0x2C, 0x0A, 0x01, 0x01]
        let description = Self.element(
            [0x30],
            security + Self.element([0x04], challenge ?? clientDataHash) + Self.element([0x04], [])
                + Self.element([0x30], softwareEnforced.flatMap { $0 })
                + Self.element([0x30], trustedEnvironmentEnforced.flatMap { $0 }))
        return Certificate.Extension(
            oid: [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17], critical: false, value: edit(description)[...])
    }

    /// DER of up to 127 bytes.
    private static func element(_ tag: [UInt8], _ content: [UInt8]) -> [UInt8] {
        tag + [UInt8(content.count)] + content
    }
}

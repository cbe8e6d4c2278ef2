import SwiftASN1
import X509

/// The contents of an Apple certificate's nonce extension.
struct AppleForm {
    /// Replaces the hash of authenticator data and client data hash.
    var nonce: [UInt8]?
    /// Changes SEQUENCE { [1] OCTET STRING }.
    var edit: ([UInt8]) -> [UInt8] = { $0 }

    func certificateExtension(nonce expected: [UInt8]) -> Certificate.Extension {
        let nonce = nonce ?? expected
        let length = UInt8(nonce.count)
        let value = [0x30, length + 4, 0xA1, length + 2, 0x04, length] + nonce
        return Certificate.Extension(oid: [1, 2, 840, 113635, 100, 8, 2], critical: false, value: edit(value)[...])
    }
}

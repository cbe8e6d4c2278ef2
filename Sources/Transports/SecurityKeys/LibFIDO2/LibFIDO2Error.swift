internal import CFIDO2

/// What a call to libfido2 returned instead of success: a CTAP status, or a negative number of libfido2's own.
package struct LibFIDO2Error: Error, Hashable, CustomStringConvertible {
    package let code: Int32

    package init(_ code: Int32) { self.code = code }

    package var description: String { "\(String(cString: fido_strerr(code))) (\(code))" }

    /// Throws unless a call returned success.
    package static func check(_ code: Int32) throws(LibFIDO2Error) {
        guard code == FIDO_OK else { throw LibFIDO2Error(code) }
    }

    /// Memory that libfido2 was asked for and did not get.
    package static func allocated(_ pointer: OpaquePointer?) throws(LibFIDO2Error) -> OpaquePointer {
        guard let pointer else { throw LibFIDO2Error(FIDO_ERR_INTERNAL) }
        return pointer
    }
}

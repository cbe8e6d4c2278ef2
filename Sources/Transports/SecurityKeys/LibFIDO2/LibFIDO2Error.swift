internal import CFIDO2

/// A failed call to libfido2: a CTAP status, or one of libfido2's negative codes.
package struct LibFIDO2Error: Error, Hashable, CustomStringConvertible {
    package let code: Int32

    package init(_ code: Int32) { self.code = code }

    package var description: String { "\(String(cString: fido_strerr(code))) (\(code))" }

    package static func check(_ code: Int32) throws(LibFIDO2Error) {
        guard code == FIDO_OK else { throw LibFIDO2Error(code) }
    }

    package static func allocated(_ pointer: OpaquePointer?) throws(LibFIDO2Error) -> OpaquePointer {
        guard let pointer else { throw LibFIDO2Error(FIDO_ERR_INTERNAL) }
        return pointer
    }
}

#if SYSTEM_LIBRARIES
internal import COpenSSL

/// libcrypto refused an operation.
struct LibcryptoError: Error, CustomStringConvertible {
    let description: String

    /// Takes the thread's oldest error and empties its queue.
    init() {
        var text = [CChar](repeating: 0, count: 256)
        ERR_error_string_n(ERR_get_error(), &text, text.count)
        ERR_clear_error()
        description = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Throws unless a function's result is 1, libcrypto's success.
    static func check(_ status: Int32) throws {
        guard status == 1 else { throw LibcryptoError() }
    }
}
#endif

import CDBus

/// Writes a message for libdbus.
///
/// libdbus ends the process when it gets an invalid name or path, so that each is checked first.
enum BusMessageWriter {
    private typealias Check = (UnsafePointer<CChar>?, UnsafeMutablePointer<DBusError>?) -> dbus_bool_t

    /// The message; the caller releases it.
    ///
    /// - Throws: ``BusError/malformed(_:)`` for names and values that D-Bus does not permit.
    static func write(_ message: BusMessage) throws(BusError) -> OpaquePointer {
        try check(message.destination, "bus name", dbus_validate_bus_name)
        try check(message.path, "object path", dbus_validate_path)
        try check(message.interface, "interface", dbus_validate_interface)
        try check(message.member, "member", dbus_validate_member)
        try check(message.errorName, "error name", dbus_validate_error_name)
        guard let written = create(message) else { throw .malformed("its header is incomplete") }
        do {
            try write(message.body, into: written)
            return written
        } catch {
            dbus_message_unref(written)
            throw error
        }
    }

    private static func check(_ text: String?, _ kind: String, _ validate: Check) throws(BusError) {
        guard let text else { return }
        guard !text.utf8.contains(0), validate(text, nil) != 0 else { throw .malformed("\"\(text)\" is not a \(kind)") }
    }

    /// The message without its body; nil when a part of its header is missing.
    private static func create(_ message: BusMessage) -> OpaquePointer? {
        switch message.kind {
        case .call:
            guard let path = message.path, let member = message.member else { return nil }
            let call = dbus_message_new_method_call(message.destination, path, message.interface, member)
            if let call, !message.wantsAnswer { dbus_message_set_no_reply(call, 1) }
            return call
        case .signal:
            guard let path = message.path, let interface = message.interface, let member = message.member else {
                return nil
            }
            let signal = dbus_message_new_signal(path, interface, member)
            if let signal, let destination = message.destination { dbus_message_set_destination(signal, destination) }
            return signal
        case .answer, .error:
            guard message.replySerial != 0, (message.kind == .error) == (message.errorName != nil) else { return nil }
            let isError = message.kind == .error
            let answer = dbus_message_new(isError ? DBUS_MESSAGE_TYPE_ERROR : DBUS_MESSAGE_TYPE_METHOD_RETURN)
            guard let answer else { return nil }
            dbus_message_set_reply_serial(answer, message.replySerial)
            dbus_message_set_no_reply(answer, 1)
            if let destination = message.destination { dbus_message_set_destination(answer, destination) }
            if let name = message.errorName { dbus_message_set_error_name(answer, name) }
            return answer
        }
    }

    private static func write(_ body: [BusValue], into message: OpaquePointer) throws(BusError) {
        for value in body { try check(value) }
        let signature = body.map(\.signature).joined()
        guard dbus_signature_validate(signature, nil) != 0 else { throw .malformed("\(signature) is not a signature") }
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message, &iterator)
        for value in body { append(value, to: &iterator) }
    }

    /// Checks the texts and the elements' types of a value.
    private static func check(_ value: BusValue) throws(BusError) {
        switch value {
        case .string(let text):
            guard !text.utf8.contains(0) else { throw .malformed("a string contains the character U+0000") }
        case .path(let text): try check(text, "object path", dbus_validate_path)
        case .signature(let text): try check(text, "signature", dbus_signature_validate)
        case .array(let element, let values): for value in values { try check(value, has: element) }
        case .dictionary(let key, let value, let entries):
            for entry in entries {
                try check(entry.key, has: key)
                try check(entry.value, has: value)
            }
        case .structure(let fields):
            for field in fields { try check(field) }
        case .variant(let inner):
            try check(inner, has: inner.signature)
            guard dbus_signature_validate_single(inner.signature, nil) != 0 else {
                throw .malformed("\(inner.signature) is not a signature")
            }
        default: break
        }
    }

    private static func check(_ value: BusValue, has signature: String) throws(BusError) {
        guard value.signature == signature else {
            throw .malformed("a value has the signature \(value.signature), and \(signature) is declared")
        }
        try check(value)
    }

    private static func append(_ value: BusValue, to iterator: inout DBusMessageIter) {
        var basic = DBusBasicValue()
        switch value {
        case .byte(let number): basic.byt = number
        case .bool(let truth): basic.bool_val = truth ? 1 : 0
        case .int16(let number): basic.i16 = number
        case .uint16(let number): basic.u16 = number
        case .int32(let number): basic.i32 = number
        case .uint32(let number): basic.u32 = number
        case .int64(let number): basic.i64 = dbus_int64_t(number)
        case .uint64(let number): basic.u64 = dbus_uint64_t(number)
        case .double(let number): basic.dbl = number
        case .string(let text): return append(text, .string, to: &iterator)
        case .path(let text): return append(text, .path, to: &iterator)
        case .signature(let text): return append(text, .signature, to: &iterator)
        case .bytes(let bytes):
            return container(.array, "y", in: &iterator) { inner in
                bytes.withUnsafeBufferPointer { buffer in
                    var start = buffer.baseAddress
                    // An array of libdbus has at most 64 MiB.
                    if !buffer.isEmpty, let count = CInt(exactly: buffer.count) {
                        dbus_message_iter_append_fixed_array(&inner, BusType.byte.code, &start, count)
                    }
                }
            }
        case .array(let element, let values):
            return container(.array, element, in: &iterator) { inner in
                for value in values { append(value, to: &inner) }
            }
        case .dictionary(let key, let value, let entries):
            return container(.array, "{\(key)\(value)}", in: &iterator) { inner in
                for entry in entries {
                    container(.entry, nil, in: &inner) { pair in
                        append(entry.key, to: &pair)
                        append(entry.value, to: &pair)
                    }
                }
            }
        case .structure(let fields):
            return container(.structure, nil, in: &iterator) { inner in
                for field in fields { append(field, to: &inner) }
            }
        case .variant(let value):
            return container(.variant, value.signature, in: &iterator) { append(value, to: &$0) }
        }
        guard let letter = value.signature.utf8.first else { return }
        dbus_message_iter_append_basic(&iterator, CInt(letter), &basic)
    }

    private static func append(_ text: String, _ type: BusType, to iterator: inout DBusMessageIter) {
        text.withCString { pointer in
            var pointer: UnsafePointer<CChar>? = pointer
            dbus_message_iter_append_basic(&iterator, type.code, &pointer)
        }
    }

    private static func container(
        _ type: BusType, _ signature: String?, in iterator: inout DBusMessageIter,
        _ fill: (inout DBusMessageIter) -> Void
    ) {
        var inner = DBusMessageIter()
        dbus_message_iter_open_container(&iterator, type.code, signature, &inner)
        fill(&inner)
        dbus_message_iter_close_container(&iterator, &inner)
    }
}

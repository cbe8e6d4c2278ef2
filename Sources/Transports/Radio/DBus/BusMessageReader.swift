import CDBus

/// Reads a message of libdbus into a value.
///
/// libdbus has checked the bytes: their lengths, UTF-8, signatures, and a nesting of at most 64 containers. File descriptors
/// are refused.
enum BusMessageReader {
    /// - Throws: ``BusError/malformed(_:)`` for a value of a type that ``BusValue`` does not have.
    static func read(_ message: OpaquePointer) throws(BusError) -> BusMessage {
        var read = header(message)
        read.body = try body(message)
        return read
    }

    /// The message without its body.
    static func header(_ message: OpaquePointer) -> BusMessage {
        var read = BusMessage(kind: kind(message))
        read.sender = text(dbus_message_get_sender(message))
        read.destination = text(dbus_message_get_destination(message))
        read.path = text(dbus_message_get_path(message))
        read.interface = text(dbus_message_get_interface(message))
        read.member = text(dbus_message_get_member(message))
        read.errorName = text(dbus_message_get_error_name(message))
        read.serial = dbus_message_get_serial(message)
        read.replySerial = dbus_message_get_reply_serial(message)
        read.wantsAnswer = dbus_message_get_no_reply(message) == 0
        return read
    }

    private static func kind(_ message: OpaquePointer) -> BusMessage.Kind {
        switch dbus_message_get_type(message) {
        case DBUS_MESSAGE_TYPE_METHOD_CALL: .call
        case DBUS_MESSAGE_TYPE_METHOD_RETURN: .answer
        case DBUS_MESSAGE_TYPE_ERROR: .error
        default: .signal
        }
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }

    private static func body(_ message: OpaquePointer) throws(BusError) -> [BusValue] {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
        return try values(&iterator)
    }

    private static func values(_ iterator: inout DBusMessageIter) throws(BusError) -> [BusValue] {
        var values: [BusValue] = []
        // 0 is the end.
        while dbus_message_iter_get_arg_type(&iterator) != 0 {
            values.append(try value(&iterator))
            dbus_message_iter_next(&iterator)
        }
        return values
    }

    private static func value(_ iterator: inout DBusMessageIter) throws(BusError) -> BusValue {
        let code = dbus_message_iter_get_arg_type(&iterator)
        let type = BusType(code: code)
        switch type {
        case .structure: return .structure(try inner(&iterator))
        case .variant:
            guard let value = try inner(&iterator).first else { throw .malformed("a variant without a value") }
            return .variant(value)
        case .array: return try array(&iterator)
        default:
            guard let type, let value = basic(&iterator, type) else {
                throw .malformed("a value of the type number \(code), which is not supported")
            }
            return value
        }
    }

    private static func inner(_ iterator: inout DBusMessageIter) throws(BusError) -> [BusValue] {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        return try values(&inner)
    }

    private static func array(_ iterator: inout DBusMessageIter) throws(BusError) -> BusValue {
        let type = BusType(code: dbus_message_iter_get_element_type(&iterator))
        let element = String(signature(&iterator).dropFirst())
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        if type == .byte { return .bytes(bytes(&inner)) }
        guard type == .entry else { return .array(element, try values(&inner)) }
        var entries: [BusValue.Entry] = []
        while dbus_message_iter_get_arg_type(&inner) == BusType.entry.code {
            let pair = try self.inner(&inner)
            guard pair.count == 2 else { throw .malformed("an entry of a dictionary without key and value") }
            entries.append(BusValue.Entry(key: pair[0], value: pair[1]))
            dbus_message_iter_next(&inner)
        }
        // `{kv…}`: a key is one letter.
        return .dictionary(String(element.dropFirst().prefix(1)), String(element.dropFirst(2).dropLast()), entries)
    }

    private static func bytes(_ iterator: inout DBusMessageIter) -> [UInt8] {
        var start: UnsafePointer<UInt8>?
        var count: CInt = 0
        dbus_message_iter_get_fixed_array(&iterator, &start, &count)
        return Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
    }

    private static func signature(_ iterator: inout DBusMessageIter) -> String {
        guard let pointer = dbus_message_iter_get_signature(&iterator) else { return "" }
        defer { dbus_free(pointer) }
        return String(cString: pointer)
    }

    private static func basic(_ iterator: inout DBusMessageIter, _ type: BusType) -> BusValue? {
        var value = DBusBasicValue()
        dbus_message_iter_get_basic(&iterator, &value)
        return switch type {
        case .byte: .byte(value.byt)
        case .bool: .bool(value.bool_val != 0)
        case .int16: .int16(value.i16)
        case .uint16: .uint16(value.u16)
        case .int32: .int32(value.i32)
        case .uint32: .uint32(value.u32)
        case .int64: .int64(Int64(value.i64))
        case .uint64: .uint64(UInt64(value.u64))
        case .double: .double(value.dbl)
        case .string: text(value.str).map(BusValue.string)
        case .path: text(value.str).map(BusValue.path)
        case .signature: text(value.str).map(BusValue.signature)
        case .array, .structure, .variant, .entry: nil
        }
    }

    private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String? {
        pointer.map { String(cString: $0) }
    }
}

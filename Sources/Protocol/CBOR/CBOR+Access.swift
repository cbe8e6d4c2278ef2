extension CBOR {
    /// A well-formed item that does not fit a structure.
    public struct AccessError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The problem.
        public let problem: Problem
        /// The place, as a path of keys and indices such as `user.id`.
        public let path: String

        /// A problem at a path.
        public init(problem: Problem, path: String) {
            self.problem = problem
            self.path = path
        }

        /// The path and the problem, such as "user.id is missing".
        public var description: String {
            switch problem {
            case .missing: "\(path) is missing"
            case .wrongType(let expected, let found): "\(path) is a \(found.rawValue), not a \(expected.rawValue)"
            case .outOfRange: "\(path) is out of range"
            }
        }

        /// The ways an item can fail to fit.
        public enum Problem: Hashable, Sendable {
            /// A required member is missing.
            case missing
            /// The item has another type.
            case wrongType(expected: Kind, found: Kind)
            /// The number or the length is not allowed.
            case outOfRange
        }
    }
}

extension CBOR.Value {
    /// The map; throws an error that names `path` for any other item.
    public func asMap(_ path: @autoclosure () -> String) throws(CBOR.AccessError) -> CBOR.Map {
        guard case .map(let map) = self else { throw mismatch(.map, path()) }
        return map
    }

    /// The array's items; throws an error that names `path` for any other item.
    public func asArray(_ path: @autoclosure () -> String) throws(CBOR.AccessError) -> [CBOR.Value] {
        guard case .array(let items) = self else { throw mismatch(.array, path()) }
        return items
    }

    /// The byte string; throws an error that names `path` for any other item.
    public func asBytes(_ path: @autoclosure () -> String) throws(CBOR.AccessError) -> [UInt8] {
        guard case .bytes(let bytes) = self else { throw mismatch(.byteString, path()) }
        return bytes
    }

    /// The text string; throws an error that names `path` for any other item.
    public func asText(_ path: @autoclosure () -> String) throws(CBOR.AccessError) -> String {
        guard case .text(let text) = self else { throw mismatch(.textString, path()) }
        return text
    }

    /// The boolean; throws an error that names `path` for any other item.
    public func asBool(_ path: @autoclosure () -> String) throws(CBOR.AccessError) -> Bool {
        guard case .bool(let flag) = self else { throw mismatch(.boolean, path()) }
        return flag
    }

    /// The unsigned integer as an `Int`; throws an error that names `path` for any other item.
    public func asUnsigned(_ path: @autoclosure () -> String) throws(CBOR.AccessError) -> Int {
        guard case .unsigned(let value) = self else { throw mismatch(.unsignedInteger, path()) }
        guard let number = Int(exactly: value) else { throw CBOR.AccessError(problem: .outOfRange, path: path()) }
        return number
    }

    /// The integer of either sign as an `Int`; throws an error that names `path` for any other item.
    public func asInteger(_ path: @autoclosure () -> String) throws(CBOR.AccessError) -> Int {
        switch self {
        case .unsigned(let value): if let number = Int(exactly: value) { return number }
        case .negative(let value): if let number = Int(exactly: value) { return -1 - number }
        default:
            throw mismatch(.integer, path())
        }
        throw CBOR.AccessError(problem: .outOfRange, path: path())
    }

    private func mismatch(_ expected: CBOR.Kind, _ path: String) -> CBOR.AccessError {
        CBOR.AccessError(problem: .wrongType(expected: expected, found: kind), path: path)
    }
}

extension CBOR.Map {
    /// The value under a key; throws an error that names `path` when it is missing.
    public func required(_ key: CBOR.Value, _ path: @autoclosure () -> String) throws(CBOR.AccessError) -> CBOR.Value {
        guard let value = self[key] else { throw CBOR.AccessError(problem: .missing, path: path()) }
        return value
    }
}

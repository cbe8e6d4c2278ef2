public import Foundation

/// A Python script of a test target, which makes its own assertions and ends with a line of JSON.
public enum Script {
    /// The error of a script that ended without its summary.
    public struct NoSummary: Error {
        /// The complete output of the script.
        public let output: Python.Output
    }

    private static let start = """
        import json, runpy, sys
        sys.dont_write_bytecode = True
        directories, name, requested = sys.argv[1:]
        directories = json.loads(directories)
        sys.path[:0] = directories
        sys.argv = [name, requested]
        runpy.run_path(f"{directories[0]}/{name}.py", run_name="__main__")
        """

    /// Runs a script to its end.
    ///
    /// - Parameters:
    ///   - name: The file's name without `.py`.
    ///   - directories: The script's folder, and further folders with modules.
    ///   - requested: The input of the script.
    /// - Returns: The summary of the script.
    /// - Throws: The errors of `Python.run`, or ``NoSummary``.
    public static func run<Summary: Decodable>(
        _ name: String, in directories: [URL], _ requested: [String: JSON] = [:], as type: Summary.Type = Done.self
    ) async throws -> Summary {
        func text(_ value: some Encodable) throws -> String {
            String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        }
        let arguments = [try text(directories.map(\.path)), name, try text(requested)]
        let output = try await Python.run(script: start, arguments: arguments)
        guard let summary = output.lines.last else { throw NoSummary(output: output) }
        return try JSONDecoder().decode(type, from: Data(summary.utf8))
    }

    /// The summary of a script without results.
    public struct Done: Decodable {}
}

/// A value in a script's input.
public enum JSON: Encodable, ExpressibleByStringLiteral {
    case text(String)
    case number(Int)
    case bool(Bool)
    case texts([String])
    case numbers([Int])
    case null

    /// Creates a text value.
    public init(stringLiteral value: String) { self = .text(value) }

    /// Encodes the bare value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .texts(let value): try container.encode(value)
        case .numbers(let value): try container.encode(value)
        case .null: try container.encodeNil()
        }
    }
}

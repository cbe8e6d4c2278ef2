import Foundation
import TestSupport

/// A Python script of this target, which asserts everything it can itself and ends with a line of JSON.
enum Script {
    /// Where the scripts lie.
    static let directory = Bundle.module.bundleURL.appending(path: "Scripts")

    /// A script that ended well without its summary.
    struct NoSummary: Error {
        let output: Python.Output
    }

    private static let start = """
        import runpy, sys
        sys.dont_write_bytecode = True
        directory, name, wish = sys.argv[1:]
        sys.path.insert(0, directory)
        sys.argv = [name, wish]
        runpy.run_path(f"{directory}/{name}.py", run_name="__main__")
        """

    /// Runs a script to its end.
    ///
    /// - Parameters:
    ///   - name: the file's name without `.py`.
    ///   - port: where the device listens.
    ///   - wish: what else the script is told.
    /// - Returns: its summary.
    /// - Throws: what `Python.run` throws, or ``NoSummary``.
    static func run<Summary: Decodable>(
        _ name: String, port: Int, _ wish: [String: JSON] = [:], as type: Summary.Type = Done.self
    ) async throws -> Summary {
        var wish = wish
        wish["port"] = .number(port)
        let argument = String(decoding: try JSONEncoder().encode(wish), as: UTF8.self)
        let output = try await Python.run(script: start, arguments: [directory.path, name, argument])
        guard let summary = output.lines.last else { throw NoSummary(output: output) }
        return try JSONDecoder().decode(type, from: Data(summary.utf8))
    }

    /// The summary of a script that has nothing to say but that it came to its end.
    struct Done: Decodable {}
}

/// What scripts are told.
enum JSON: Encodable, ExpressibleByStringLiteral {
    case text(String)
    case number(Int)
    case bool(Bool)
    case texts([String])
    case numbers([Int])
    case null

    init(stringLiteral value: String) { self = .text(value) }

    func encode(to encoder: any Encoder) throws {
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

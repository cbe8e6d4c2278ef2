import Foundation
import TestSupport

extension Script {
    /// The folder of this target's scripts.
    static let directory = Bundle.module.bundleURL.appending(path: "Scripts")

    /// Runs a script of this target to its end.
    ///
    /// - Parameters:
    ///   - name: The file's name without `.py`.
    ///   - port: The device's UDP port.
    ///   - requested: Further input of the script.
    static func run<Summary: Decodable>(
        _ name: String, port: Int, _ requested: [String: JSON] = [:], as type: Summary.Type = Done.self
    ) async throws -> Summary {
        var requested = requested
        requested["port"] = .number(port)
        return try await run(name, in: [directory], requested, as: type)
    }
}

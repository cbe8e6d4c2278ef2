import Foundation
import TestSupport

extension Script {
    /// Where this target's scripts lie.
    static let directory = Bundle.module.bundleURL.appending(path: "Scripts")

    /// Runs a script of this target to its end.
    ///
    /// - Parameters:
    ///   - name: the file's name without `.py`.
    ///   - port: where the device listens.
    ///   - wish: what else the script is told.
    static func run<Summary: Decodable>(
        _ name: String, port: Int, _ wish: [String: JSON] = [:], as type: Summary.Type = Done.self
    ) async throws -> Summary {
        var wish = wish
        wish["port"] = .number(port)
        return try await run(name, in: [directory], wish, as: type)
    }
}

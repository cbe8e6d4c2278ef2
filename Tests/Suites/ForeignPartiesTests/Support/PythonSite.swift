import Foundation
import TestSupport
import Testing

/// A site of the tests, a Python program with one of the libraries that real sites use.
struct PythonSite {
    /// The reason why a site does not serve.
    struct NotServing: Error {
        let errors: String
    }

    let port: Int

    /// Runs a site on a free port, and stops it afterwards.
    ///
    /// - Parameters:
    ///   - name: the file in `Sites/` without `.py`.
    ///   - variant: the site's argument, JSON.
    static func with<Result>(
        _ name: String, variant: String = "{}", _ use: (PythonSite) async throws -> Result
    ) async throws -> Result {
        let folder = try #require(Bundle.module.url(forResource: "Sites", withExtension: nil))
        let process = Process()
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        process.executableURL = Python.interpreter
        process.arguments = ["-B", folder.appending(path: "\(name).py").path, variant]
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
        try process.run()
        // The end of its standard input ends it.
        defer { try? input.fileHandleForWriting.close() }
        let line = await line(of: output.fileHandleForReading)
        guard let port = Int(line) else {
            process.terminate()
            throw NotServing(errors: String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self))
        }
        return try await use(PythonSite(port: port))
    }

    /// The first line, read outside the concurrency pool, because reading blocks.
    private static func line(of handle: FileHandle) async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var text = Data()
                while case let chunk = handle.availableData, !chunk.isEmpty {
                    text += chunk
                    if text.contains(UInt8(ascii: "\n")) { break }
                }
                let first = text.prefix { $0 != UInt8(ascii: "\n") }
                continuation.resume(returning: String(decoding: first, as: UTF8.self))
            }
        }
    }
}

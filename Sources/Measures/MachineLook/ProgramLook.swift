internal import Foundation
internal import Machine
internal import MachineNeeds
internal import Subprocess

/// A program on `PATH`, and what it says about its version.
enum ProgramLook {
    /// The longest wait for a program's version.
    private static let patience = Duration.seconds(10)

    static func sighting(of need: MachineNeed, asksVersion: Bool) async -> Sighting {
        guard let path = ProgramSearch.path(of: need.programs) else {
            return .absent("\(need.programs.joined(separator: " or ")) was not found on PATH")
        }
        return .program(path: path, version: asksVersion ? await version(of: path) : nil)
    }

    /// The first line of the answer to `--version`; nil where the program gives none in time.
    private static func version(of path: String) async -> String? {
        let file = URL(filePath: path)
        // The program's own folder comes first, because a name is looked up in PATH.
        let folders = file.deletingLastPathComponent().path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        return await withTaskGroup(of: String?.self) { group in
            group.addTask {
                let answer = try? await run(
                    .name(file.lastPathComponent), arguments: ["--version"],
                    // Python writes no compiled files.
                    environment: .inherit.updating(["PATH": folders, "PYTHONDONTWRITEBYTECODE": "1"]), input: .none,
                    output: .string(limit: 1 << 16), error: .discarded)
                guard case .exited(0)? = answer?.terminationStatus else { return nil }
                return answer?.standardOutput.split(whereSeparator: \.isNewline).first
                    .map { $0.trimmingCharacters(in: .whitespaces) }
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

import Foundation
import TestSupport

/// The guest's file system: this build's `touchstone`, this machine's third-party programs, and their libraries.
struct GuestImage {
    /// The programs of the guest, with their paths on this machine.
    static let programs = [
        "/usr/bin/fido2-token", "/usr/bin/fido2-cred", "/usr/bin/fido2-assert", "/usr/bin/ssh-keygen",
        "/usr/lib/openssh/ssh-sk-helper", "/usr/bin/pamu2fcfg", "/usr/sbin/pcscd",
        "/usr/lib/pcsc/drivers/serial/libifdvpcd.so", "/usr/bin/perl",
    ]

    /// The reason the image cannot be made.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let root: URL
    private let files = FileManager.default

    /// Makes the image, a cpio archive, in a directory.
    static func make(in directory: URL) throws -> URL {
        let image = GuestImage(root: directory.appending(path: "root"))
        try image.addPrograms()
        try image.addResources()
        let archive = directory.appending(path: "initramfs")
        try image.shell("cd '\(image.root.path)' && find . | cpio -o -H newc --quiet > '\(archive.path)'")
        return archive
    }

    private func addPrograms() throws {
        let touchstone = Bundle.module.bundleURL.deletingLastPathComponent().appending(path: "touchstone")
        // Debug information would take half of the guest's memory.
        try files.createDirectory(at: root.appending(path: "usr/bin"), withIntermediateDirectories: true)
        try shell("strip -o '\(root.path)/usr/bin/touchstone' '\(touchstone.path)'")
        for program in Self.programs { try copy(program) }
        try files.createDirectory(at: root.appending(path: "bin"), withIntermediateDirectories: true)
        try files.copyItem(atPath: "/bin/busybox", toPath: root.appending(path: "bin/busybox").path)
        let all = ([touchstone.path] + Self.programs).map { "'\($0)'" }.joined(separator: " ")
        let libraries = try shell("ldd \(all) | awk '/=> \\// { print $3 } /^\\t\\// { print $1 }'")
        for library in Set(libraries.split(separator: "\n")) {
            try copy(String(library))
        }
    }

    private func addResources() throws {
        for directory in ["dev", "proc", "sys", "tmp", "etc", "root", "run", "modules"] {
            try files.createDirectory(at: root.appending(path: directory), withIntermediateDirectories: true)
        }
        let kernel = PackageRoot.url.appending(path: ".build/kernel")
        for module in ["hid", "uhid", "hid-generic"] {
            try files.copyItem(
                at: kernel.appending(path: "\(module).ko"), to: root.appending(path: "modules/\(module).ko"))
        }
        for directory in ["profiles", "hardware"] {
            try files.copyItem(at: PackageRoot.url.appending(path: directory), to: root.appending(path: directory))
        }
        try Data("root:x:0:0:root:/root:/bin/sh\n".utf8).write(to: root.appending(path: "etc/passwd"))
        try Data("root:x:0:\n".utf8).write(to: root.appending(path: "etc/group"))
        let scripts = Bundle.module.bundleURL.appending(path: "Guest")
        let start = root.appending(path: "init")
        try files.copyItem(at: scripts.appending(path: "init.sh"), to: start)
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: start.path)
        try files.copyItem(at: scripts.appending(path: "replug.pl"), to: root.appending(path: "replug.pl"))
    }

    /// Copies a file to the same path in the guest; a link becomes its target.
    private func copy(_ path: String) throws {
        let target = root.appending(path: String(path.dropFirst()))
        guard !files.fileExists(atPath: target.path) else { return }
        guard files.fileExists(atPath: path) else {
            throw Failure(description: "\(path) is missing: `make test` installs it")
        }
        try files.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try files.copyItem(at: URL(fileURLWithPath: path).resolvingSymlinksInPath(), to: target)
    }

    @discardableResult
    private func shell(_ command: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", "set -o pipefail; " + command]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "\(command) failed") }
        return String(decoding: bytes, as: UTF8.self)
    }
}

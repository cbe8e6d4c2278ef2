import CTAPHybrid
import Foundation
import QRPictures
import TestSupport
import Testing

/// QR codes of hybrid transport, read by programs that share no code with this project.
struct QRReadersTests {
    /// The number of codes.
    private static let count = 1000
    /// The number of codes that are also shown on a terminal and as SVG.
    private static let shown = 50

    private struct Found: Decodable {
        struct Contents: Decodable, Equatable {
            let key: String
            let secret: String
            let time: UInt64?
            let linking: Bool?
            let hint: String?
        }

        let zxing: [String]
        let terminal: [String]
        let svg: [String]
        let contents: [Contents]
        let domains: [String]
    }

    /// Random contents, in each form that programs show.
    private static func contents() throws -> [QRContents] {
        var generator = SeededGenerator(seed: Ring.seed)
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: .min ... .max, using: &generator) } }
        let operations: [QROperation?] = [.makeCredential, .getAssertion, nil]
        return try (0..<count).map { _ in
            let key = try #require(HybridKey(randomBytes: bytes))
            return try QRContents(
                publicKey: key.publicKey, secret: bytes(QRContents.secretLength),
                timestamp: .random(using: &generator) ? .random(in: 0...2_000_000_000, using: &generator) : nil,
                supportsStateAssisted: [true, false, nil].randomElement(using: &generator) ?? nil,
                operation: operations.randomElement(using: &generator) ?? nil)
        }
    }

    @Test("zbarimg, zxing-cpp and soft-fido2 read a thousand codes as they were made, from PNG, SVG and the terminal")
    func thousand() async throws {
        let contents = try Self.contents()
        let codes = try contents.map { try QRModules(text: $0.text) }
        let folder = try TemporaryFolder()
        for (index, code) in codes.enumerated() {
            func write(_ bytes: [UInt8], _ suffix: String) throws {
                try Data(bytes).write(to: folder.url.appending(path: String(format: "%04d.", index) + suffix))
            }
            try write(code.png, "png")
            guard index < Self.shown else { continue }
            try write(Array(code.svg.utf8), "svg")
            try write(Array(code.lines(colored: index.isMultiple(of: 2)).joined(separator: "\n").utf8), "txt")
        }
        let texts = contents.map(\.text)
        async let zbar = Self.zbar(folder)
        let domains: [UInt16] = [0, 1, 2, 255, 256, 266, 0x1234, 0xF980, 0xFFFF]
        let found = try await Script.run(
            "read_codes", in: [try #require(Bundle.module.resourceURL).appending(path: "Scripts")],
            [
                "packages": .text(PackageRoot.url.appending(path: ".build/python-qr").path),
                "pictures": .text(folder.url.path),
                "domains": .numbers(domains.map(Int.init)),
            ], as: Found.self)
        #expect(found.zxing == texts)
        #expect(found.terminal == Array(texts.prefix(Self.shown)))
        #expect(found.svg == Array(texts.prefix(Self.shown)))
        #expect(found.domains == domains.map { TunnelDomain(rawValue: $0).host ?? "" })
        let expected = contents.map { code in
            Found.Contents(
                key: Self.hex(code.publicKey.compressed), secret: Self.hex(code.secret), time: code.timestamp,
                linking: code.supportsStateAssisted, hint: code.operation?.rawValue)
        }
        #expect(found.contents == expected)
        #expect(try await zbar == texts)
    }

    /// The texts that zbarimg reads, in the order of the files.
    private static func zbar(_ folder: TemporaryFolder) async throws -> [String] {
        let script = """
            import subprocess, sys
            from pathlib import Path
            files = sorted(str(path) for path in Path(sys.argv[1]).glob("*.png"))
            sys.exit(subprocess.run(["zbarimg", "--quiet", "--raw", "--nodbus", "-Sdisable", "-Sqrcode.enable", *files]).returncode)
            """
        return try await Python.run(script: script, arguments: [folder.url.path]).lines.map(String.init)
    }

    private static func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
}

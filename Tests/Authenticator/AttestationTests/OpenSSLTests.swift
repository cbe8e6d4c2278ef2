import Attestation
import AttestationSamples
import Foundation
import Testing

/// The certificates, checked by OpenSSL's command line if it is installed.
@Suite(.enabled(if: OpenSSL.isInstalled, "openssl is not on the path"))
struct OpenSSLTests {
    private let authority: AttestationAuthority

    init() throws {
        authority = try AttestationAuthority()
    }

    @Test(arguments: [AttestationKind.packedBasic, .fidoU2F, .tpm, .tpmRS1, .androidKey, .apple])
    func opensslVerifiesALeafStrictly(_ kind: AttestationKind) throws {
        let path = try AttestationSample(kind, authority: authority).certificates
        let leaf = try #require(path.first)
        let text = try OpenSSL.run(["x509", "-inform", "DER", "-text", "-noout", "-in"], files: [leaf])
        #expect(text.status == 0, "\(text.output)")
        let issuer =
            path.count == 1 ? "Touchstone Test Attestation Root" : "Touchstone Virtual Authenticator Intermediate"
        #expect(text.output.contains("CN = \(issuer)"))
        #expect(text.output.contains("CA:FALSE"))
        // -x509_strict checks the rules of RFC 5280 in full.
        let verdict = try verify(leaf, through: Array(path.dropFirst()), "-x509_strict")
        #expect(verdict.status == 0, "\(verdict.output)")
    }

    @Test(arguments: [
        (AttestationFlaw.expired, "certificate has expired"), (.notYetValid, "certificate is not yet valid"),
        (.unknownRoot, "unable to get local issuer certificate"),
        (.missingIntermediate, "unable to get local issuer certificate"),
    ])
    func opensslRefusesAnUntrustedLeaf(_ flaw: AttestationFlaw, _ complaint: String) throws {
        let leaf = try #require(
            try AttestationSample(.packedBasic, flaw: flaw, authority: authority).certificates.first)
        let verdict = try verify(leaf)
        #expect(verdict.status != 0)
        #expect(verdict.output.contains(complaint), "\(verdict.output)")
    }

    @Test func opensslReadsTheRoot() throws {
        let text = try OpenSSL.run(["x509", "-text", "-noout", "-in"], files: [Array(authority.rootPEM.utf8)])
        #expect(text.status == 0, "\(text.output)")
        #expect(text.output.contains("CA:TRUE"))
        #expect(text.output.contains("Certificate Sign"))
    }

    private func verify(
        _ leaf: [UInt8], through others: [[UInt8]] = [], _ options: String...
    ) throws -> (status: Int32, output: String) {
        func pem(_ certificate: [UInt8]) throws -> String {
            try OpenSSL.run(["x509", "-inform", "DER", "-in"], files: [certificate]).output
        }
        // Only the root is trusted; the file's other certificates cannot end a path without -partial_chain.
        let known = try ([authority.rootPEM] + others.map(pem)).joined(separator: "\n")
        return try OpenSSL.run(
            // A day in June 2025, so that the test does not age.
            ["verify", "-attime", "1750000000"] + options + ["-CAfile"],
            files: [Array(known.utf8), Array(try pem(leaf).utf8)])
    }
}

/// OpenSSL's command line.
private enum OpenSSL {
    private static let program = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/openssl" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    static let isInstalled = program != nil

    /// Runs it with temporary files of this content as its last arguments.
    static func run(_ arguments: [String], files: [[UInt8]]) throws -> (status: Int32, output: String) {
        let directory = FileManager.default.temporaryDirectory.appending(path: "touchstone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let paths = try files.enumerated().map { index, bytes in
            let file = directory.appending(path: "\(index)")
            try Data(bytes).write(to: file)
            return file.path
        }
        // A file instead of a pipe: a pipe is read only after the end and could fill up.
        let output = directory.appending(path: "output")
        try Data().write(to: output)
        let handle = try FileHandle(forWritingTo: output)
        let process = Process()
        process.executableURL = URL(filePath: try #require(program))
        process.arguments = arguments + paths
        process.standardOutput = handle
        process.standardError = handle
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: try Data(contentsOf: output), as: UTF8.self))
    }
}

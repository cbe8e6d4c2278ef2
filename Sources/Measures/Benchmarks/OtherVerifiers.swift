internal import CBOR
internal import CFIDO2
internal import COSE
internal import Foundation
internal import Machine
internal import WebAuthn

/// Other libraries' verification of an assertion, for a comparison with this project's.
enum OtherVerifiers {
    /// An assertion and everything its verification needs, as the Python script reads it.
    struct Sample: Encodable {
        let registration: String
        let assertion: String
        let challenge: Base64URLBytes
        let rpId: String
        let origin: String
        /// The COSE key.
        let publicKey: Base64URLBytes
        var rounds = 0
    }

    static let names = ["libfido2", "py_webauthn", "python-fido2"]

    /// The microseconds of each library that this machine has, by its name.
    static func times(_ sample: Sample, rounds: Int) throws -> [String: [Double]] {
        var times = try python(sample, rounds: rounds)
        times["libfido2"] = try libfido2(sample, rounds: rounds)
        return times
    }

    // MARK: libfido2

    private static func libfido2(_ sample: Sample, rounds: Int) throws -> [Double] {
        let response = try JSONDecoder().decode(AuthenticationResponse.self, from: Data(sample.assertion.utf8)).response
        var times: [Double] = []
        for _ in 0..<rounds {
            let started = ContinuousClock.now
            try verify(response, sample)
            times.append((ContinuousClock.now - started) / .microseconds(1))
        }
        return times
    }

    /// Verifies an assertion as a relying party in C would, whose client data is not examined by libfido2.
    private static func verify(_ response: AssertionResponse, _ sample: Sample) throws {
        var (assertion, key) = (fido_assert_new(), es256_pk_new())
        defer {
            fido_assert_free(&assertion)
            es256_pk_free(&key)
        }
        let (clientData, data, signature) = (
            response.clientDataJSON.bytes, response.authenticatorData.bytes, response.signature.bytes
        )
        // libfido2 takes the coordinates without COSE around them.
        let point = try COSE.PublicKey(cbor: CBOR.decode(sample.publicKey.bytes))
        let coordinates = point.x + point.y
        for code in [
            fido_assert_set_clientdata(assertion, clientData, clientData.count),
            fido_assert_set_rp(assertion, sample.rpId), fido_assert_set_count(assertion, 1),
            fido_assert_set_authdata_raw(assertion, 0, data, data.count),
            fido_assert_set_sig(assertion, 0, signature, signature.count),
            es256_pk_from_ptr(key, coordinates, coordinates.count),
            fido_assert_verify(assertion, 0, COSE_ES256, UnsafeRawPointer(key)),
        ] where code != FIDO_OK {
            throw BenchmarkFailure(description: "libfido2 refused the assertion: \(String(cString: fido_strerr(code)))")
        }
    }

    // MARK: Python

    /// The times of Python's libraries; none without the Python of `TOUCHSTONE_PYTHON`, which `make bench` sets.
    private static func python(_ sample: Sample, rounds: Int) throws -> [String: [Double]] {
        guard let python = EnvironmentVariable.python.value,
            FileManager.default.isExecutableFile(atPath: python)
        else { return [:] }
        var sample = sample
        sample.rounds = rounds
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = ["-c", EmbeddedText.verifiers_py]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(sample))
        try input.fileHandleForWriting.close()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkFailure(description: "Python refused the assertion; see its error above")
        }
        return try JSONDecoder().decode([String: [Double]].self, from: answer)
    }
}

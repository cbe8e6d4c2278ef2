internal import Causes
internal import DeviceActs
internal import Machine

/// Documents of passkeys in files of the device's user.
extension DeviceHost {
    /// The longest document, as the act accepts it.
    private static let longestDocument = DeviceVerb.Parameter.documentLength.upperBound

    /// A document begins with an object that names its exporter; this program writes the members in the alphabet's order.
    private static let kind = OutputFile.Kind("a document of passkeys") { head in
        head.first == UInt8(ascii: "{") && String(decoding: head, as: UTF8.self).contains("\"accounts\"")
    }

    /// Exports passkeys to a file that only its user can read; the answer says which.
    ///
    /// An existing document is replaced as a whole, and another file is refused before the user is asked.
    func exportPasskeys(_ act: DeviceAct, to path: String) async throws(DeviceHostError) -> String? {
        let file = OutputFile(path, Self.kind)
        do throws(FileProblem) {
            try file.check()
        } catch {
            throw .impossible("\(path): \(error)")
        }
        let result = try done(await perform(act))
        guard let document = result.document else {
            throw .impossible("\(act.word) has made no document; give a file only with an act that exports passkeys")
        }
        do throws(FileProblem) {
            try file.replace(with: Array((document + "\n").utf8))
        } catch {
            throw .impossible("\(path): \(error)")
        }
        return result.answer
    }

    /// Imports the passkeys of a document in a file; the answer says which.
    func importPasskeys(_ act: DeviceAct, from path: String) async throws(DeviceHostError) -> String? {
        guard let bytes = BoundedFile.read(path, limit: Self.longestDocument) else {
            throw .impossible("\(path) cannot be read; name a file with a document of passkeys")
        }
        guard bytes.count <= Self.longestDocument else {
            throw .impossible("\(path) has more than \(Self.longestDocument) bytes; export fewer passkeys at once")
        }
        guard let document = String(validating: bytes, as: UTF8.self) else {
            throw .impossible("\(path) is not text in UTF-8; name a file with a document of passkeys")
        }
        let result = await perform(act.reading(document, named: path))
        // A damaged file is the caller's mistake, and no state of the device.
        if result.cause == .documentDamaged, let reason = result.reason { throw .impossible(reason) }
        return try done(result).answer
    }
}

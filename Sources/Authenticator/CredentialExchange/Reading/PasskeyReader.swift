internal import COSE
internal import CTAP
internal import Documents

/// Reads one passkey (§3.3.12) and collects its mistakes.
struct PasskeyReader {
    private let member: ExchangeMember
    private(set) var mistakes: [SourceError] = []
    /// The members that an importer ignores, in words.
    private(set) var ignored: [String] = []

    init(_ member: ExchangeMember) { self.member = member }

    /// The passkey; nil after a mistake.
    ///
    /// - Parameter knownIDs: the credential IDs of the document so far, with their paths.
    mutating func read(_ knownIDs: inout [[UInt8]: [ExchangeMember.Step]]) -> ExchangePasskey? {
        let id = attempt("credentialId") { member throws(SourceError) in try member.bytes(1...1023) }
        if let id, let place = member["credentialId"] {
            if let first = knownIDs[id] {
                let line = place.text.line(of: first).map { " in line \($0)" } ?? ""
                mistakes.append(
                    place.error(
                        "is also the credential ID of \(ExchangeMember.words(first))\(line); remove one of the passkeys"
                    ))
            } else {
                knownIDs[id] = place.path
            }
        }
        let relyingPartyID = attempt("rpId") { member throws(SourceError) in
            let text = try member.string()
            if let mistake = RelyingPartyIDForm.mistake(in: text) { throw member.error(mistake) }
            return text
        }
        let username = attempt("username") { member throws(SourceError) in try member.string() }
        let displayName = attempt("userDisplayName") { member throws(SourceError) in try member.string() }
        let userHandle = attempt("userHandle") { member throws(SourceError) in try member.bytes(1...64) }
        let key = attempt("key") { member throws(SourceError) in
            let bytes = try member.bytes(0...Int.max)
            do throws(PrivateKeyMistake) {
                return try PrivateKeyMistake.key(bytes)
            } catch {
                throw member.error(error.words)
            }
        }
        let extensions = member["fido2Extensions"].map { self.extensions($0) } ?? ExchangeExtensions()
        guard mistakes.isEmpty, let id, let relyingPartyID, let username, let displayName, let userHandle, let key
        else {
            return nil
        }
        return ExchangePasskey(
            credentialID: id, relyingPartyID: relyingPartyID, username: username, userDisplayName: displayName,
            userHandle: userHandle, privateKey: key, extensions: extensions)
    }

    // MARK: Extensions

    /// The longest inflated large blob accepted, in bytes.
    private static let largestBlob = 1 << 20

    private mutating func extensions(_ member: ExchangeMember) -> ExchangeExtensions {
        var extensions = ExchangeExtensions()
        guard attempt({ () throws(SourceError) in try member.checkObject() }) != nil else { return extensions }
        if let secrets = member["hmacCredentials"] {
            extensions.hmacCredentials = attempt { () throws(SourceError) in try Self.secrets(secrets) } ?? nil
            if extensions.hmacCredentials == nil, let algorithm = secrets["algorithm"]?.value.text {
                ignored.append("\(secrets.words), whose algorithm \"\(algorithm)\" is unknown")
            }
        }
        if let secret = member["hmacSecret"] {
            ignored.append("\(secret.words), which drafts before 1.0 had in place of hmacCredentials")
        }
        extensions.credBlob = attempt { () throws(SourceError) in try member["credBlob"]?.bytes(0...1024) } ?? nil
        extensions.largeBlob =
            attempt { () throws(SourceError) in
                try member["largeBlob"].map { blob throws(SourceError) in try Self.largeBlob(blob) }
            } ?? nil
        extensions.payments = attempt { () throws(SourceError) in try member["payments"]?.flag() } ?? nil
        return extensions
    }

    /// The secrets (§3.3.12.3); nil for an unknown algorithm, with which the whole structure is ignored (§3.1.1).
    private static func secrets(
        _ member: ExchangeMember
    ) throws(SourceError) -> ExchangeExtensions.HMACCredentials? {
        typealias Secrets = ExchangeExtensions.HMACCredentials
        try member.checkObject()
        let remedy = "export the passkey again"
        guard try member.required("algorithm", remedy).string() == Secrets.algorithm else { return nil }
        func secret(_ name: String) throws(SourceError) -> [UInt8] {
            try member.required(name, remedy).bytes(Secrets.length...Secrets.length)
        }
        return Secrets(withUV: try secret("credWithUV"), withoutUV: try secret("credWithoutUV"))
    }

    /// A blob that inflates to the length it states (§3.3.12.5).
    private static func largeBlob(_ member: ExchangeMember) throws(SourceError) -> LargeBlobExtensionValue {
        try member.checkObject()
        let remedy = "export the passkey again"
        let size = try member.required("uncompressedSize", remedy).number(0...largestBlob, remedy)
        let data = try member.required("data", remedy)
        let blob = LargeBlobExtensionValue(data: try data.bytes(0...largestBlob), originalSize: size)
        guard blob.blob != nil else {
            throw data.error("does not inflate to uncompressedSize, \(size) bytes; \(remedy)")
        }
        return blob
    }

    // MARK: Mistakes

    private mutating func attempt<Part>(
        _ name: String, _ read: (ExchangeMember) throws(SourceError) -> Part
    ) -> Part? {
        let member = member
        return attempt { () throws(SourceError) in try read(try member.required(name, "export the passkey again")) }
    }

    private mutating func attempt<Part>(_ read: () throws(SourceError) -> Part) -> Part? {
        do throws(SourceError) {
            return try read()
        } catch {
            mistakes.append(error)
            return nil
        }
    }
}

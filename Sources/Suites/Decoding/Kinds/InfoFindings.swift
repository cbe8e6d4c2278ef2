internal import AuthenticatorSuite
package import CBOR
package import CTAP
internal import Conformance
internal import DeviceProfiles
package import KnownKeys
package import ProfileFiles
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn

/// The comparison of a getInfo answer with the rules, the known keys and the profiles.
package struct InfoFindings: Encodable, Sendable {
    /// A profile with the rows in which its device's answer differs.
    package struct Neighbour: Encodable, Sendable {
        package let profile: String
        package let differences: [Row]
    }

    package struct Row: Encodable, Sendable {
        /// `maxMsgSize`, `options.clientPin`, `extensions.credBlob`.
        package let name: String
        package let value: String
        package let profile: String
    }

    /// The known key of its AAGUID, with the differences; nil for an unknown AAGUID.
    package let known: KnownKeyComparison?
    /// The name of its AAGUID's model among the known keys and the profiles.
    package let model: String?
    /// Without a known key: the known keys with the fewest differences, nearest first.
    package let near: [KnownKeyComparison]
    /// The profiles with the fewest differences, nearest first.
    package let profiles: [Neighbour]

    /// Compares an answer.
    ///
    /// - Parameters:
    ///   - uncertain: the members that the answer may have although it is not known; they are not compared.
    ///   - limit: the number of near keys and profiles.
    /// - Throws: `SourceError` for an invalid file of a key or profile.
    package init(
        _ answer: CBOR.Value, in library: KnownKeyLibrary, _ profiles: ProfileLibrary,
        uncertain: Set<InfoMember> = [], limit: Int = 3
    ) async throws {
        let map = CBOR.Map(answer)
        let aaguid = map[InfoMember.aaguid.rawValue].flatMap { try? $0.asBytes("") }.flatMap { AAGUID(bytes: $0) }
        let keys = try library.keys()
        let match = aaguid.flatMap { aaguid in keys.first { $0.model(aaguid) != nil } }
        known = try match.map { try KnownKeyComparison(of: answer, with: $0, leavingOut: uncertain) }
        model = aaguid.flatMap(ModelNames.name)
        let others = try keys.map { try KnownKeyComparison(of: answer, with: $0, leavingOut: uncertain) }
        near = known == nil ? Array(others.sorted { $0.differences.count < $1.differences.count }.prefix(limit)) : []
        var neighbours: [Neighbour] = []
        for file in try profiles.files() {
            let profile = try ProfileLibrary.read(file)
            let device = try SimulatedDevice(
                profile: profile, time: SimulatedClock(), random: SeededRandomSource(seed: 1), user: ConsentingUser())
            let other = await device.authenticator.info().cbor
            let rows = InfoTable([answer, other], leavingOut: uncertain).rows.filter { $0.verdict == .different }
            neighbours.append(
                Neighbour(
                    profile: profile.name,
                    differences: rows.map { Row(name: $0.name, value: $0.values[0], profile: $0.values[1]) }))
        }
        self.profiles = Array(neighbours.sorted { $0.differences.count < $1.differences.count }.prefix(limit))
    }

    /// The rules of getInfo that an answer breaks, with and without its uncertain members.
    static func broken(_ map: CBOR.Map, uncertain: Set<InfoMember> = []) -> [DecodingProblem] {
        InfoFinding.all(in: map, uncertain: uncertain).map { finding in
            let level = finding.level == .should ? " (a recommendation)" : ""
            return DecodingProblem("\(finding.rule) Found: \(finding.seen)\(level)", finding.clause.description)
        }
    }
}

internal import Attestation
internal import CTAP
internal import Conformance
internal import Documents
internal import Foundation

extension MetadataCases {
    private static let name = "authenticatorGetInfo"

    /// The statement's copy of getInfo.
    @CaseTable static var information: [Case] {
        member(name, "The statement has getInfo, with members of the specification.", needs: [.ctap2]) { bench, value in
            guard let members = value.object else { throw bench.fail("an object", seen: words(value)) }
            let known = Set(InfoMember.allCases.map(\.name))
            let unknown = members.keys.filter { !known.contains($0) }.sorted()
            bench.expect(unknown.isEmpty, "known members", seen: unknown.joined(separator: ", "))
        }
        member(
            name, part: "minPINLength", "The stated minimum length of the PIN is not above getInfo's.", needs: [.ctap2]
        ) { bench, value in
            let (stated, seen) = (value["minPINLength"]?.integer ?? 4, bench.info.minPINLength ?? 4)
            bench.expect(stated <= seen, "at most \(seen)", seen: "\(stated)")
        }
        member(
            "supportedExtensions", "The extensions are those of getInfo.", isRequired: false,
            needs: [.member(.extensions)]
        ) { bench, value in
            bench.expect(
                (value.array ?? []).compactMap { $0["id"]?.text }, toEqual: bench.info.extensions ?? [],
                "the extensions")
        }
        for compared in InfoMember.allCases where !compared.isNewInEveryAnswer && !changing.contains(compared) {
            member(name, part: compared.name, "The stated \(compared.name) is that of getInfo.", needs: [.ctap2]) {
                bench, value in
                let seen = try answer(bench)[compared.name].map { comparable($0, compared) }
                let stated = value[compared.name].map { comparable($0, compared) }
                bench.expect(
                    stated == seen, "\(words(seen)), as getInfo answers", seen: words(stated), clause: .ctap("6.4"))
            }
        }
    }

    /// Members that depend on the authenticator's contents, or on its settings.
    private static let changing: Set<InfoMember> = [
        .remainingDiscoverableCredentials, .uvCountSinceLastPinEntry, .forcePINChange, .minPINLength,
    ]

    /// getInfo in the form of metadata.
    private static func answer(_ bench: AuthenticatorBench) throws -> JSONValue {
        let bytes = try JSONEncoder().encode(MetadataValue.authenticatorGetInfo(bench.infoMembers))
        return try JSONDecoder().decode(JSONValue.self, from: bytes)
    }

    /// A member without the parts that depend on the set-up: lists in any order where the order means nothing, and of options
    /// that change only their presence.
    private static func comparable(_ value: JSONValue, _ member: InfoMember) -> JSONValue {
        switch value {
        case .array(let items) where !member.isPreference:
            .array(items.map { (words($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1))
        case .object(let options) where member == .options:
            .object(
                Dictionary(
                    uniqueKeysWithValues: options.map { name, value in
                        let option = InfoOption.allCases.first { $0.rawValue == name }
                        return (name, option.map(isSetting) == true ? .null : value)
                    }))
        default: value
        }
    }

    private static func isSetting(_ option: InfoOption) -> Bool {
        option.dependsOnSetUp || option == .alwaysUv || option == .makeCredUvNotRqd
    }
}

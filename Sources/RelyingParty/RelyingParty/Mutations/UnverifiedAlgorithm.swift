internal import COSE
internal import Mutations

/// An algorithm whose signatures the verifier takes without looking at them.
package struct UnverifiedAlgorithm: Mutation {
    package static let room = "verifier"
    package static let allCases = COSE.Algorithm.supported.map(UnverifiedAlgorithm.init)

    let algorithm: COSE.Algorithm

    package var name: String { "verifiesNot:\(algorithm)" }
}

internal import CTAP
internal import Mutants

/// Throws a refusal that the command can go on without, unless a mutation admits it.
func refuse(_ refusal: Refusal) throws(Refusal) {
    guard !Mutant.isMade("authenticator.admits:", refusal.reason.label) else { return }
    throw refusal
}

/// The members of the organisation that a coordinator or an administrator sees.
extension ReferenceApp {
    mutating func openPeople() {
        guard let session else { return }
        ask(.people(accessToken: session.accessToken), from: session.user.role.home)
    }

    mutating func peopleLoaded(_ answer: AppAnswer) {
        guard session != nil else { return }
        if let list = answer.value(PeopleData.self) {
            show(.people)
            people = list.people
        } else if answer.isUnauthorized {
            accessRefused()
            if session != nil { showHome() }
        } else {
            // Home follows the role that the user has now.
            showHome(answer.code == "role_not_permitted" ? .roleChanged : outageMessage)
        }
    }
}

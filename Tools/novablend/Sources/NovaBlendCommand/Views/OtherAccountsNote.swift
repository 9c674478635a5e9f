import JSON

/// What is said of other accounts that have open bookings in the same state directory.
enum OtherAccountsNote {
    static func notes(of answer: JSONObject) -> [String?] {
        answer.objects("otherAccounts").map { entry in
            let open = entry.integer("open").map { "\($0) in doubt" } ?? entry.text("error")
            return "other account \(entry.text("account") ?? ""): \(open ?? "")"
        }
    }
}

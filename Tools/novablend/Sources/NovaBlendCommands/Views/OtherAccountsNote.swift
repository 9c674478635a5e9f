import JSON

/// The notes about other accounts with open bookings in the same state directory.
enum OtherAccountsNote {
    static func notes(of result: JSONObject) -> [String?] {
        result.objects("otherAccounts").map { entry in
            let open = entry.integer("open").map { "\($0) in doubt" } ?? entry.text("error")
            return "other account \(entry.text("account") ?? ""): \(open ?? "")"
        }
    }
}

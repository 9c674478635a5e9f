import BookingStorage

let condition = SalonCondition.version([1, 2])
precondition(condition.isMet(by: 2) && !condition.isMet(by: nil))

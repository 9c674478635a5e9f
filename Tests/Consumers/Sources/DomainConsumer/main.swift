import Domain

precondition(ZoneID("Europe/Berlin")?.name == "Europe/Berlin")
precondition(ZoneID("../etc") == nil)

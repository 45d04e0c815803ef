# A signed contact point for Alertcard, and the policy that uses it. Needs Grafana 11.6 or later.
terraform {
  required_providers {
    grafana = {
      source  = "grafana/grafana"
      version = "~> 4.10"
    }
  }
}

variable "grafana_hmac_secret" {
  type        = string
  sensitive   = true
  description = "The same value that Alertcard reads as GRAFANA_HMAC_SECRET."
}

variable "alertcard_url" {
  type    = string
  default = "http://alertcard:9095"
}

resource "grafana_contact_point" "alertcard" {
  name = "alertcard"

  webhook {
    url                     = "${var.alertcard_url}/hooks/grafana"
    http_method             = "POST"
    disable_resolve_message = false

    hmac_config {
      secret           = var.grafana_hmac_secret
      header           = "X-Grafana-Alerting-Signature"
      timestamp_header = "X-Grafana-Alerting-Timestamp"
    }
  }
}

# The policy tree of an organisation is one object: this replaces it.
resource "grafana_notification_policy" "alertcard" {
  contact_point   = grafana_contact_point.alertcard.name
  group_by        = ["grafana_folder", "alertname"]
  group_wait      = "30s"
  group_interval  = "5m"
  repeat_interval = "4h"
}

{{/* Names and labels that several templates share. */}}
{{- define "srs-stack.name" -}}
{{- printf "%s" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "srs-stack.selector" -}}
app.kubernetes.io/name: srs-stack
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "srs-stack.labels" -}}
{{ include "srs-stack.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "srs-stack.secret" -}}
{{- .Values.existingSecret | default (printf "%s-secrets" (include "srs-stack.name" .)) -}}
{{- end -}}

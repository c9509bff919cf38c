{{- define "backbench.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "backbench.selector" -}}
app.kubernetes.io/name: backbench
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "backbench.labels" -}}
{{ include "backbench.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "backbench.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "backbench.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "backbench.image" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end -}}

{{/* The settings of the service and of every command. */}}
{{- define "backbench.environment" -}}
env:
  - name: BACKBENCH_PUBLIC_URL
    value: {{ .Values.publicUrl | quote }}
  {{- if not (hasKey .Values.settings "BACKBENCH_STOP_DELAY") }}
  # Not ready for five seconds, until the load balancers have noticed, and only then stopped.
  - name: BACKBENCH_STOP_DELAY
    value: "5"
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
{{- with .Values.existingSecret }}
envFrom:
  - secretRef:
      name: {{ . }}
{{- end }}
{{- end -}}

{{/* The pod of either mode; `data` is a volume claim with SQLite. */}}
{{- define "backbench.pod" -}}
metadata:
  labels:
    {{- include "backbench.labels" . | nindent 4 }}
    app.kubernetes.io/component: service
  {{- with .Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  # Otherwise Kubernetes sets BACKBENCH_PORT=tcp://… for a service called backbench.
  enableServiceLinks: false
  # A stop waits up to 30 seconds for the requests in progress, after five for the load balancers.
  terminationGracePeriodSeconds: 45
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    {{- include "backbench.podSecurity" . | nindent 4 }}
  containers:
    - name: backbench
      {{- include "backbench.image" . | nindent 6 }}
      args: [serve, --workers, {{ .Values.workers | quote }}]
      {{- include "backbench.environment" . | nindent 6 }}
      ports:
        - name: http
          containerPort: 8000
      # serve waits for the database and migrates it before it responds: an hour at most.
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 2
        failureThreshold: 1800
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 5
        timeoutSeconds: 4
        failureThreshold: 2
      # The process alone: a lost database must not restart it.
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      securityContext:
        {{- include "backbench.containerSecurity" . | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if eq .Values.mode "postgres" }}
    - name: data
      emptyDir: {}
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if eq .Values.mode "postgres" }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "backbench.selector" . | nindent 10 }}
          app.kubernetes.io/component: service
  {{- end }}
{{- end -}}
